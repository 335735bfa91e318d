import type { Authenticated } from './accounts/principals.ts';
import { type SessionDependencies, sessionHandlers } from './accounts/session-handlers.ts';
import { type UserHandlerDependencies, userHandlers } from './accounts/user-handlers.ts';
import { type BranchDependencies, branchHandlers } from './branches/handlers.ts';
import type { Handlers } from './generated/handlers.ts';
import { type InspectorDependencies, inspectorHandlers } from './inspector/handlers.ts';

/** Which capability answers which operations. */
export function handlers(
  dependencies: BranchDependencies & InspectorDependencies & SessionDependencies & UserHandlerDependencies,
): Handlers<Authenticated> {
  const later = () => {
    throw new Error('Comes with its own commit.');
  };
  return {
    listServiceAccounts: later,
    createServiceAccount: later,
    deleteServiceAccount: later,
    listApiKeys: later,
    createApiKey: later,
    deleteApiKey: later,
    countBranches: later,
    listBranchActivity: later,
    ...sessionHandlers(dependencies),
    ...userHandlers(dependencies),
    ...branchHandlers(dependencies),
    ...inspectorHandlers(dependencies),
  };
}
