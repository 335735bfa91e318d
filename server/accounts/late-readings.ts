import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Handlers } from '../generated/handlers.ts';
import { operations } from '../generated/operations.ts';
import { requireWorkspaceId } from '../http/operation.ts';
import { wrapHandlers } from '../http/wrapped-handlers.ts';
import type { Authorities } from './authenticate.ts';
import type { Authenticated } from './principals.ts';
import { requireStanding } from './standing.ts';
import { ROWS_STAY_MS } from './workspace-end.ts';

/** Operations that read what a workspace has, and answer at once. What streams live looks again by itself. */
const READINGS: ReadonlySet<string> = new Set(
  operations
    .filter(({ method, security }) => method === 'GET' && security.length > 0)
    .filter(({ responses }) => !responses.some(({ media }) => media?.includes('text/event-stream')))
    .map(({ id }) => id),
);

/**
 * Has a request that reads looked at again where that has taken as long as the rows of a workspace stay after its end: it may have waited
 * for its turn, and found a part of them or none. What was read before then is whole. Nor is anybody answered who may not ask any
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
  return (handlers) =>
    wrapHandlers(handlers, READINGS, (handle) => async (input) => {
      const reply = await handle(input);
      if (isStreamed(reply)) return { ...reply, body: afterFirst(reply.body, () => look(input.raw)) };
      await look(input.raw);
      return reply;
    });
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
