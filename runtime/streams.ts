import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { resetConnection } from './reset-connection.ts';

/** A body that is made while it is sent. */
export type Chunks = AsyncIterable<string | Uint8Array>;

/**
 * How long a client may take none of a streamed body; in milliseconds. That it takes any shows only when the system's send buffer
 * has room again, on Linux after up to a third of its 4 MiB: so much in this time is what a steady reader needs, 12 KiB/s.
 */
const STALLED_MS = 120_000;

/**
 * Starts a streamed body: waits for the first chunk, so that an error up to there is still an ordinary error reply.
 *
 * A later error resets the connection: the client must never take a short body for a whole one. So does a client that takes
 * nothing for two minutes; one that leaves ends the iterator (`return()`). The next chunk is asked for only when the client has
 * taken the last.
 */
export async function startStream(body: Chunks, { log, raw: { socket } }: FastifyRequest): Promise<Readable> {
  const iterator = body[Symbol.asyncIterator]();
  let waiting: IteratorResult<string | Uint8Array> | undefined = await iterator.next();
  let stalled: NodeJS.Timeout | undefined;
  let hasLeft = false;

  const take = async () => {
    if (waiting === undefined) return iterator.next();
    const first = waiting;
    waiting = undefined;
    return first;
  };
  const breakOff = (): void => {
    log.warn(`a client took nothing of a streamed body for ${STALLED_MS / 1_000} seconds; its connection is reset`);
    resetConnection(socket);
  };

  return Readable.from({
    [Symbol.asyncIterator]: () => ({
      async next() {
        clearTimeout(stalled);
        try {
          const taken = await take();
          // It may have left while the chunk was made.
          if (taken.done !== true && !hasLeft) stalled = setTimeout(breakOff, STALLED_MS);
          return taken;
        } catch (error) {
          log.error({ err: error }, 'a streamed body failed; its connection is reset');
          resetConnection(socket);
          throw error;
        }
      },
      async return() {
        hasLeft = true;
        clearTimeout(stalled);
        await iterator.return?.();
        return { done: true, value: undefined };
      },
    }),
  });
}
