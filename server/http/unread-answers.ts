import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { resetConnection, takeTurn } from '@branchline/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { boundInMemory } from '../memory-limit.ts';
import { HeldBytes } from './held-bytes.ts';

/** How much may wait, and how long. */
export interface UnreadBounds {
  /** Of the answers of one holder; in bytes. */
  ofHolder: number;
  /** Of all answers; in bytes. */
  total: number;
  /**
   * How long a connection may take nothing of an answer before Node looks whether it has taken any since; in milliseconds. It is
   * reset the second time.
   */
  lookEveryMs: number;
}

const BOUNDS: UnreadBounds = {
  ofHolder: boundInMemory(32 * 1_048_576, 1 / 32),
  total: boundInMemory(128 * 1_048_576, 1 / 24),
  lookEveryMs: 15_000,
};

/**
 * What is encrypted at a time of an answer over TLS; in bytes. All at once it would be copied for each client, and what the allocator got
 * for the copies is not given back for as long as their connections are open.
 */
const PIECE = 16_384;

/** What may wait of an answer that is sent in pieces: as much as a connection takes before it asks its sender to wait. */
const OF_PIECES = 65_536;

/** How many may listen to the end of a streamed answer: some ten do, and Node would warn of a leak. */
const STREAM_LISTENERS = 20;

/**
 * Bounds what waits in memory for clients that do not read their answers: past a bound, the connection whose answer has waited
 * longest is reset. A client that reads has its answer out of here in the same moment, and is never met.
 *
 * Streamed bodies are not counted: they are made as their clients take them. Nor are buffers, which are sent from where they are; over
 * TLS those pieces of them count that are encrypted.
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
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = reply;
    const { socket } = request.raw;
    // Node would close it: over HTTP/1.0 what was sent so far would look whole.
    raw.once('timeout', () => resetConnection(socket));
    if (!(payload instanceof Readable)) socket.setTimeout(bounds.lookEveryMs);
    if (raw.closed) return done();
    const large = socket instanceof TLSSocket && request.method !== 'HEAD' ? bufferLarge(payload) : undefined;
    const own = typeof payload === 'string' ? (large?.length ?? Buffer.byteLength(payload)) : 0;
    const bytes = own + (large === undefined ? 0 : OF_PIECES);
    if (bytes === 0) return done();
    const holder = holderOf(request);
    unread.add(holder, raw, bytes);
    if (large === undefined) return done();
    raw.setMaxListeners(STREAM_LISTENERS);
    reply.header('content-length', large.length);
    done(null, Readable.from(cut(large, holder), { objectMode: false, highWaterMark: PIECE }));
  });
}

/** Returns an answer that is larger than a piece; undefined for any other. */
function bufferLarge(payload: unknown): Buffer | undefined {
  if (typeof payload === 'string') return payload.length > PIECE ? Buffer.from(payload) : undefined;
  return Buffer.isBuffer(payload) && payload.length > PIECE ? payload : undefined;
}

/** Encrypting a piece takes time that others wait for: its holder takes turns with all else that is under way. */
async function* cut(buffer: Buffer, holder: string): AsyncIterable<Buffer> {
  for (let from = 0; from < buffer.length; from += PIECE) {
    await takeTurn(holder);
    yield buffer.subarray(from, from + PIECE);
  }
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
    if (this.#held.of(holder) > this.#bounds.ofHolder) this.#breakOffOldest(holder, answer);
    if (this.#held.total > this.#bounds.total) this.#breakOffOldest(this.#held.findLargest(), answer);
  }

  /** But for the newest, which may be larger than the bound, and has had no time to be read yet. */
  #breakOffOldest(holder: string, newest: ServerResponse): void {
    const oldest = this.#held.findOldestOf(holder);
    if (oldest === undefined || oldest === newest) return;
    this.#held.remove(oldest);
    if (oldest.socket !== null) resetConnection(oldest.socket);
  }
}
