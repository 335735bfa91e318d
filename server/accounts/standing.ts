import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../http/http-error.ts';
import { requirePrincipals, requireWorkspaceId } from '../http/operation.ts';
import { workFor } from '../storage/holder.ts';
import { type Authorities, unauthorizedAgain } from './authenticate.ts';
import { type ProgramOrPerson, ROLES } from './principals.ts';

/**
 * Whether the principal of a request still has its access: the account or session, the person, and the workspace. For long-running
 * requests.
 */
export async function stillStands(
  { accounts, sessions }: Pick<Authorities, 'accounts' | 'sessions'>,
  { serviceAccount, session }: ProgramOrPerson,
): Promise<boolean> {
  if (serviceAccount !== undefined) return accounts.exists(serviceAccount.workspaceId, serviceAccount.accountId);
  return (await sessions.find(session.workspaceId, session.sessionHash)) !== undefined;
}

/**
 * Has a request whose body was not here yet when it was authenticated looked at again once it is: a body may take half a minute, and
 * whoever held one back could act with rights that were taken from them meanwhile.
 */
export function lookAgainAfterLateBodies(app: FastifyInstance, authorities: Authorities): void {
  const late = new WeakSet<FastifyRequest>();
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (!request.raw.complete && requireWorkspaceId(request) !== '') late.add(request);
    done();
  });
  app.addHook('preHandler', async (request) => {
    if (late.has(request)) await workFor(requireWorkspaceId(request), () => requireStanding(authorities, request));
  });
}

/** @throws HttpError 401, or 403 if the person's role is lower now */
async function requireStanding(authorities: Authorities, request: FastifyRequest): Promise<void> {
  const { serviceAccount, apiKey, session } = requirePrincipals(request);
  if (session !== undefined) {
    const found = await authorities.sessions.find(session.workspaceId, session.sessionHash);
    if (found === undefined) throw unauthorizedAgain(request);
    if (ROLES.indexOf(found.role) < ROLES.indexOf(session.role)) {
      throw new HttpError(403, `Your role was changed to ${found.role} while this request arrived. Send it again.`);
    }
  }
  if (
    serviceAccount !== undefined &&
    !(await authorities.accounts.exists(serviceAccount.workspaceId, serviceAccount.accountId))
  )
    throw unauthorizedAgain(request);
  if (apiKey !== undefined && !(await authorities.keys.exists(apiKey.workspaceId, apiKey.keyId)))
    throw unauthorizedAgain(request);
}
