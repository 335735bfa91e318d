import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { FairQueue } from '../storage/fair-queue.ts';

/** The share that a request counts towards. Holders take turns, and so do the parts of each holder. */
export interface Share {
  holder: string;
  part: string;
}

/** The time for starting requests in one turn of the event loop, in milliseconds. */
const TURN_MS = 1;

export interface RequestTurnsOptions {
  /** In milliseconds. */
  clock: () => number;
  /** Calls back in the next turn of the event loop, after pending input was read. */
  nextTurn: (callback: () => void) => void;
}

/**
 * Starts bursts of work for some milliseconds in each turn of the event loop, so that everything else gets its share.
 * The rest waits, and waiting shares take turns.
 */
export class RequestTurns {
  readonly #options: RequestTurnsOptions;
  readonly #waiting = new FairQueue<() => void>();
  /** When the first work of the current turn of the event loop was started; undefined: none yet. */
  #began: number | undefined;

  constructor(options: RequestTurnsOptions) {
    this.#options = options;
  }

  /** Starts the work immediately if there is time left and nothing waits. */
  add(share: Share, begin: () => void): void {
    if (this.#waiting.isEmpty && this.#hasTime()) begin();
    else this.#waiting.push([share.holder, share.part], begin);
  }

  #hasTime(): boolean {
    const { clock, nextTurn } = this.#options;
    const now = clock();
    if (this.#began === undefined) {
      this.#began = now;
      nextTurn(() => {
        this.#began = undefined;
        this.#beginWaiting();
      });
    }
    return now - this.#began < TURN_MS;
  }

  #beginWaiting(): void {
    if (this.#waiting.isEmpty || !this.#hasTime()) return;
    this.#waiting.shift()?.();
    // After all microtasks, which do most of the work, so that the clock measures it.
    queueMicrotask(() => process.nextTick(() => this.#beginWaiting()));
  }
}

/**
 * Makes a server start requests in turns. A waiting request costs no more than its parsing, and is not served if its client
 * has left.
 *
 * @param shareOf the share of a request, which must be cheap to compute
 */
export function serveInTurns(server: Server, shareOf: (request: IncomingMessage) => Share): void {
  const serve = server.listeners('request') as RequestListener[];
  const turns = new RequestTurns({ clock: () => performance.now(), nextTurn: setImmediate });
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    turns.add(shareOf(request), () => {
      if (request.socket.destroyed) return;
      for (const listener of serve) listener(request, response);
    });
  });
}
