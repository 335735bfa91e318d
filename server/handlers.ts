import type { Administration } from './accounts/administration.ts';
import {
  type CredentialDependencies,
  credentialHandlers,
  credentialPreparations,
} from './accounts/credential-handlers.ts';
import type { CredentialUse } from './accounts/credential-use.ts';
import type { Authenticated } from './accounts/principals.ts';
import { type SessionDependencies, sessionHandlers, sessionPreparations } from './accounts/session-handlers.ts';
import { type UserHandlerDependencies, userHandlers } from './accounts/user-handlers.ts';
import { type BranchDependencies, branchHandlers } from './branches/handlers.ts';
import type { Handlers } from './generated/handlers.ts';
import type { Preparations } from './http/reading-places.ts';
import { type InspectorDependencies, inspectorHandlers } from './inspector/handlers.ts';
import { inspectorPreparations } from './inspector/up-to-date.ts';

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

/** What some of them write before they read. */
export function preparations(administration: Administration, credentialUse: CredentialUse): Preparations {
  return {
    ...sessionPreparations(administration),
    ...credentialPreparations(credentialUse),
    ...inspectorPreparations(administration.storage),
  };
}
