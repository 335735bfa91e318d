import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { FairQueue, type Share } from './fair-queue.ts';

/** How long requests are begun in one turn of the event loop; in milliseconds. */
const TURN_MS = 1;

export interface RequestTurnsOptions {
  /** In milliseconds. */
  clock: () => number;
  /** Calls back in the next turn of the event loop, after what has come meanwhile was read. */
  nextTurn: (callback: () => void) => void;
}

/**
 * Begins work that comes in floods: for some milliseconds in each turn of the event loop, so that all else has its part of each.
 * What is left waits, and those who wait take turns.
 */
export class RequestTurns {
  readonly #options: RequestTurnsOptions;
  readonly #waiting = new FairQueue<() => void>();
  /** When the first was begun in the present turn of the event loop; undefined: none was. */
  #began: number | undefined;

  constructor(options: RequestTurnsOptions) {
    this.#options = options;
  }

  /** Begins it at once if there is time left, and nobody waits. */
  add(share: Share, begin: () => void): void {
    if (this.#waiting.isEmpty && this.#hasTime()) begin();
    else this.#waiting.push(share, begin);
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
    // After all microtasks, in which most of the work is done, so that the clock tells of it.
    queueMicrotask(() => process.nextTick(() => this.#beginWaiting()));
  }
}

/**
 * Has the requests of a server begin in turns. Before that one costs no more than to be parsed; whoever has left by then is not
 * served.
 *
 * @param shareOf whom a request counts for, which must be cheap to tell
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
