import type { Authenticated } from './accounts/principals.ts';
import { type BranchDependencies, branchHandlers } from './branches/handlers.ts';
import type { Handlers } from './generated/handlers.ts';
import { type InspectorDependencies, inspectorHandlers } from './inspector/handlers.ts';

/** Which capability answers which operations. */
export function handlers(dependencies: BranchDependencies & InspectorDependencies): Handlers<Authenticated> {
  return { ...branchHandlers(dependencies), ...inspectorHandlers(dependencies) };
}
