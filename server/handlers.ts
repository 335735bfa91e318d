import { type CredentialDependencies, credentialHandlers } from './accounts/credential-handlers.ts';
import type { Authenticated } from './accounts/principals.ts';
import { type SessionDependencies, sessionHandlers } from './accounts/session-handlers.ts';
import { type UserHandlerDependencies, userHandlers } from './accounts/user-handlers.ts';
import { type BranchDependencies, branchHandlers } from './branches/handlers.ts';
import type { Handlers } from './generated/handlers.ts';
import { type InspectorDependencies, inspectorHandlers } from './inspector/handlers.ts';

/** Maps the contract's operations to the capabilities that handle them. */
export function handlers(
  dependencies: BranchDependencies &
    CredentialDependencies &
    InspectorDependencies &
    SessionDependencies &
    UserHandlerDependencies,
): Handlers<Authenticated> {
  return {
    ...sessionHandlers(dependencies),
    ...userHandlers(dependencies),
    ...credentialHandlers(dependencies),
    ...branchHandlers(dependencies),
    ...inspectorHandlers(dependencies),
  };
}
