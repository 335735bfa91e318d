import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { resetConnection } from '@branchline/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HeldBytes } from './held-bytes.ts';

/** How much may wait, and how long. */
export interface UnreadBounds {
  /** Of the answers of one holder; in bytes. */
  ofHolder: number;
  /** Of all answers; in bytes. */
  total: number;
  /**
   * How long a connection may take nothing of an answer before Node looks whether it has taken any since; in milliseconds. It is
   * closed the second time.
   */
  lookEveryMs: number;
}

const BOUNDS: UnreadBounds = { ofHolder: 32 * 1_048_576, total: 128 * 1_048_576, lookEveryMs: 15_000 };

/**
 * Bounds what waits in memory for clients that do not read their answers: past a bound, the connection whose answer has waited
 * longest is reset. A client that reads has its answer out of here in the same moment, and is never met.
 *
 * Streamed bodies are not counted: they are made as their clients take them. Nor are buffers, which are sent from where they are.
 *
 * @param holderOf - Whom an answer counts for.
 */
export function boundUnreadAnswers(
  app: FastifyInstance,
  holderOf: (request: FastifyRequest) => string,
  bounds = BOUNDS,
): void {
  const unread = new UnreadAnswers(bounds);
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    // The answer before may have left a shorter time.
    socket.setTimeout(app.server.timeout);
    done();
  });
  app.addHook('onSend', (request, { raw }, payload, done) => {
    if (!(payload instanceof Readable)) request.raw.socket.setTimeout(bounds.lookEveryMs);
    if (typeof payload === 'string' && !raw.closed) unread.add(holderOf(request), raw, Buffer.byteLength(payload));
    done();
  });
}

class UnreadAnswers {
  readonly #bounds: UnreadBounds;
  readonly #held = new HeldBytes<ServerResponse>();

  constructor(bounds: UnreadBounds) {
    this.#bounds = bounds;
  }

  /** Until it is closed, which comes when the system has taken all of it, or the connection is gone. */
  add(holder: string, answer: ServerResponse, bytes: number): void {
    this.#held.add(holder, answer, bytes);
    answer.once('close', () => this.#held.remove(answer));
    if (this.#held.of(holder) > this.#bounds.ofHolder) this.#breakOffOldest(holder);
    if (this.#held.total > this.#bounds.total) this.#breakOffOldest(this.#held.findLargest());
  }

  #breakOffOldest(holder: string): void {
    const oldest = this.#held.findOldestOf(holder);
    if (oldest === undefined) return;
    this.#held.remove(oldest);
    if (oldest.socket !== null) resetConnection(oldest.socket);
  }
}
