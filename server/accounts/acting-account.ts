import { HttpError } from '../http/http-error.ts';
import type { ProgramOrPerson } from './principals.ts';

/** The actor of a request: a service account or a person. */
export interface ActingAccount {
  workspaceId: string;
  /** Id of the service account or user. */
  id: string;
  email: string;
}

export function resolveActingAccount({ serviceAccount, session }: ProgramOrPerson): ActingAccount {
  return serviceAccount === undefined
    ? { workspaceId: session.workspaceId, id: session.userId, email: session.email }
    : { workspaceId: serviceAccount.workspaceId, id: serviceAccount.accountId, email: serviceAccount.email };
}

/**
 * Determines on whose behalf a request acts.
 *
 * @param userEmail the e-mail given by the request, if any
 * @throws HttpError 403 if a person gives somebody else's e-mail
 */
export function resolveUserEmail(principals: ProgramOrPerson, userEmail: string | undefined): string {
  const { email } = resolveActingAccount(principals);
  if (userEmail === undefined || userEmail === email) return email;
  if (principals.session === undefined) return userEmail;
  throw new HttpError(403, `You act as ${email}, and can act for nobody else. Leave userEmail out.`);
}
