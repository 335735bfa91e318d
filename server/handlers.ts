import { type CredentialDependencies, credentialHandlers } from './accounts/credential-handlers.ts';
import type { Authenticated } from './accounts/principals.ts';
import { type BranchDependencies, branchHandlers } from './branches/handlers.ts';
import type { Handlers } from './generated/handlers.ts';
import { type InspectorDependencies, inspectorHandlers } from './inspector/handlers.ts';

/** Which capability answers which operations. */
export function handlers(
  dependencies: BranchDependencies & CredentialDependencies & InspectorDependencies,
): Handlers<Authenticated> {
  const later = () => {
    throw new Error('Comes with its own commit.');
  };
  return {
    checkSignInLink: later,
    createSession: later,
    listSessions: later,
    getSession: later,
    endSession: later,
    listUsers: later,
    inviteUser: later,
    changeUserRole: later,
    createSignInLink: later,
    removeUser: later,
    listAuditLines: later,
    ...credentialHandlers(dependencies),
    ...branchHandlers(dependencies),
    ...inspectorHandlers(dependencies),
  };
}
