import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Handlers } from '../generated/handlers.ts';
import { operations } from '../generated/operations.ts';
import { HttpError } from '../http/http-error.ts';
import { requirePrincipals, requireWorkspaceId } from '../http/operation.ts';
import { workFor } from '../storage/holder.ts';
import { type Authorities, unauthorizedAgain } from './authenticate.ts';
import { type Authenticated, ROLES, type Session } from './principals.ts';
import { ROWS_STAY_MS } from './workspace-end.ts';

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
    if (late.has(request)) await requireStanding(authorities, request);
  });
}

/** Operations that read what a workspace has, and answer at once. What streams live looks again by itself. */
const READINGS: ReadonlySet<string> = new Set(
  operations
    .filter(({ method, security }) => method === 'GET' && security.length > 0)
    .filter(({ responses }) => !responses.some(({ media }) => media?.includes('text/event-stream')))
    .map(({ id }) => id),
);

type Handle = (input: { raw: FastifyRequest }) => unknown;

/**
 * Has a request that reads looked at again where that has taken as long as the rows of a workspace stay after its end: it may have waited
 * for its turn, and found a part of them or none. What was read before then is whole. So nobody is answered either who may not ask any
 * more.
 *
 * @returns what has handlers look again
 */
export function lookAgainAfterReadings(
  app: FastifyInstance,
  authorities: Authorities,
): (handlers: Handlers<Authenticated>) => Handlers<Authenticated> {
  const cameAt = new WeakMap<FastifyRequest, number>();
  app.addHook('onRequest', (request, _reply, done) => {
    cameAt.set(request, performance.now());
    done();
  });
  const look = async (request: FastifyRequest): Promise<void> => {
    const isLate = performance.now() - (cameAt.get(request) ?? 0) >= ROWS_STAY_MS;
    if (isLate && requireWorkspaceId(request) !== '') await requireStanding(authorities, request);
  };
  const lookingAgain = (handle: Handle): Handle => {
    return async (input) => {
      const reply = await handle(input);
      if (isStreamed(reply)) return { ...reply, body: afterFirst(reply.body, () => look(input.raw)) };
      await look(input.raw);
      return reply;
    };
  };
  return (handlers) => {
    const entries = Object.entries(handlers).map(([id, handle]) => [
      id,
      READINGS.has(id) ? lookingAgain(handle) : handle,
    ]);
    return Object.fromEntries(entries);
  };
}

function isStreamed(reply: unknown): reply is { body: AsyncIterable<unknown> } {
  const body = typeof reply === 'object' && reply !== null && 'body' in reply ? reply.body : undefined;
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** The first chunk holds the first rows of a snapshot, which is whole if the workspace has its rows now. */
async function* afterFirst<Chunk>(chunks: AsyncIterable<Chunk>, look: () => Promise<void>): AsyncGenerator<Chunk> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) await look();
    isFirst = false;
    yield chunk;
  }
}

/** @throws HttpError 401, or 403 if the person's role is lower now */
async function requireStanding(authorities: Authorities, request: FastifyRequest): Promise<void> {
  await workFor(requireWorkspaceId(request), async () => {
    const { session, ...programs } = requirePrincipals(request);
    const found = session && (await findAgain(authorities, session));
    if (found === undefined && !(await stillStands(authorities, programs))) throw unauthorizedAgain(request);
    if (session !== undefined && found !== undefined && ROLES.indexOf(found.role) < ROLES.indexOf(session.role)) {
      throw new HttpError(403, `Your role was changed to ${found.role} meanwhile. Send the request again.`);
    }
  });
}
