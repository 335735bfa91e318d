import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';

/** A body that is made while it is sent. */
export type Chunks = AsyncIterable<string | Uint8Array>;

/**
 * Starts a streamed body: waits for the first chunk, so that an error up to there is still an ordinary error reply.
 *
 * A later error resets the connection: the client must never take a short body for a whole one. A client that leaves
 * ends the iterator (`return()`). The next chunk is asked for only when the client has taken the last.
 */
export async function startStream(body: Chunks, { log, raw: { socket } }: FastifyRequest): Promise<Readable> {
  const iterator = body[Symbol.asyncIterator]();
  let waiting: IteratorResult<string | Uint8Array> | undefined = await iterator.next();

  return Readable.from({
    [Symbol.asyncIterator]: () => ({
      async next() {
        if (waiting !== undefined) {
          const first = waiting;
          waiting = undefined;
          return first;
        }
        try {
          return await iterator.next();
        } catch (error) {
          log.error({ err: error }, 'a streamed body failed; its connection is reset');
          socket.resetAndDestroy();
          throw error;
        }
      },
      async return() {
        await iterator.return?.();
        return { done: true, value: undefined };
      },
    }),
  });
}
