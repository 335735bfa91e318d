import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../http/http-error.ts';
import { requirePrincipals, requireWorkspaceId } from '../http/operation.ts';
import { workFor } from '../storage/holder.ts';
import { type Authorities, unauthorizedAgain } from './authenticate.ts';
import { type Authenticated, ROLES, type Session } from './principals.ts';

type Principals = { [Scheme in keyof Authenticated]?: Authenticated[Scheme] | undefined };

/**
 * Whether the principal of a request still has its access: the account, key or session, the person, and the workspace. For long-running
 * requests.
 */
export async function stillStands(authorities: Authorities, principals: Principals): Promise<boolean> {
  const { serviceAccount, apiKey, session } = principals;
  if (serviceAccount !== undefined) {
    return authorities.accounts.exists(serviceAccount.workspaceId, serviceAccount.accountId);
  }
  if (apiKey !== undefined) return authorities.keys.exists(apiKey.workspaceId, apiKey.keyId);
  return session !== undefined && (await findAgain(authorities, session)) !== undefined;
}

/** The session with its person's role as it is now; undefined where it has ended. */
function findAgain({ sessions }: Authorities, { workspaceId, sessionHash }: Session): Promise<Session | undefined> {
  return sessions.find(workspaceId, sessionHash);
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

/**
 * Looks at the principal of a request again.
 *
 * @throws HttpError 401, or 403 if the person's role is lower now
 */
export async function requireStanding(authorities: Authorities, request: FastifyRequest): Promise<void> {
  const { session, ...programs } = requirePrincipals(request);
  const found = session && (await findAgain(authorities, session));
  if (found === undefined && !(await stillStands(authorities, programs))) throw unauthorizedAgain(request);
  if (session !== undefined && found !== undefined && ROLES.indexOf(found.role) < ROLES.indexOf(session.role)) {
    throw new HttpError(
      403,
      `Your role was changed to ${found.role} meanwhile. If that role is enough, send the request again.`,
    );
  }
}
