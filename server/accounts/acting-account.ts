import { HttpError } from '../http/http-error.ts';
import type { ProgramOrPerson } from './principals.ts';

/** Who acts in a workspace: a service account or a person. */
export interface ActingAccount {
  workspaceId: string;
  /** Id of the service account or the user. */
  id: string;
  email: string;
}

export function resolveActingAccount({ serviceAccount, session }: ProgramOrPerson): ActingAccount {
  return serviceAccount === undefined
    ? { workspaceId: session.workspaceId, id: session.userId, email: session.email }
    : { workspaceId: serviceAccount.workspaceId, id: serviceAccount.accountId, email: serviceAccount.email };
}

/**
 * In whose name something is done.
 *
 * @param userEmail the e-mail that the request names, if any
 * @throws HttpError 403 when a person names somebody else
 */
export function resolveUserEmail(principals: ProgramOrPerson, userEmail: string | undefined): string {
  const { email } = resolveActingAccount(principals);
  if (userEmail === undefined || userEmail === email) return email;
  if (principals.session === undefined) return userEmail;
  throw new HttpError(403, `You act as ${email}, and can act for nobody else. Leave userEmail out.`);
}
