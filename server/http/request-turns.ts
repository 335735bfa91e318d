import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { FairQueue, Postponement } from '@branchline/runtime';

/** The share that a request counts towards. Holders take turns, and so do the parts of each holder. */
export interface Share {
  holder: string;
  part: string;
}

/**
 * The time for starting work in one turn of the event loop, in milliseconds: half of what that one took so far, within these bounds.
 * Beside much else, such as answers of a database, work would otherwise wait for many turns.
 */
const TURN_MS = { least: 1, most: 2, share: 1 / 2 };

/** For how long work that waits may be postponed at a time, in milliseconds: that of new connections, and all. */
const POSTPONED_MS = { new: 8, all: 4 };

export interface RequestTurnsOptions {
  /** In milliseconds; of any clock that only goes forward. Defaults to the machine's. */
  clock: () => number;
  /** Calls back in the next turn of the event loop, after pending input was read. Defaults to `setImmediate`. */
  nextTurn: (callback: () => void) => void;
}

/**
 * On what connection work has come: one that has had a turn, a new one, a new one whose client may have left already, or one that has
 * ended.
 */
export type From = 'known' | 'new' | 'perhaps left' | 'ended';

/** Work that is postponed: that of new connections, or all. */
export type Postponed = 'new' | 'all';

/** Work that waits, and the share that it counts towards. */
interface Arrival {
  share: Share;
  begin: () => void;
}

/**
 * Starts bursts of work for some milliseconds in each turn of the event loop, so that everything else gets its share.
 * The rest waits, and waiting shares take turns. What may be wanted by nobody any more waits in any case until the event loop has read
 * all input once more: of a client that had left before its request was read this is known only then.
 */
export class RequestTurns {
  readonly #options: RequestTurnsOptions;
  readonly #waiting = {
    known: new FairQueue<() => void>(),
    new: new FairQueue<() => void>(),
    ended: new FairQueue<() => void>(),
  };
  /** Whether the next is to be one of a connection that stays. */
  #isForKnown = true;
  /** What may be wanted by nobody: come in this turn of the event loop, and in the one before. */
  #arrived: Arrival[] = [];
  #arrivedBefore: Arrival[] = [];
  /** When the first work of the current turn of the event loop was started; undefined: none yet. */
  #began: number | undefined;
  #turnMs = TURN_MS.least;
  readonly #postponed = { new: new Postponement(POSTPONED_MS.new), all: new Postponement(POSTPONED_MS.all) };

  constructor(options: RequestTurnsOptions = { clock: () => performance.now(), nextTurn: setImmediate }) {
    this.#options = options;
  }

  /**
   * Starts the work immediately if there is time left and nothing of its kind waits. What may be wanted by nobody waits in any case.
   */
  add(share: Share, begin: () => void, from: From = 'known'): void {
    const hasTime = this.#hasTime();
    if (from === 'perhaps left') this.#arrived.push({ share, begin });
    else if (hasTime && this.#waiting[from].isEmpty && !this.#postponed.all.isOn) begin();
    else this.#push(from, { share, begin });
  }

  /**
   * Has what waits wait for one more turn of the event loop, though that of new connections for no more than 8 ms at a time, and all for no
   * more than 4 ms. Since a connection was accepted: those behind it wait for whatever is done in the turn.
   */
  postpone(what: Postponed): void {
    this.#postponed[what].ask();
  }

  #push(from: Exclude<From, 'perhaps left'>, { share, begin }: Arrival): void {
    this.#waiting[from].push([share.holder, share.part], begin);
  }

  #hasTime(): boolean {
    const { clock, nextTurn } = this.#options;
    const now = clock();
    if (this.#began === undefined) {
      this.#began = now;
      nextTurn(() => {
        const ended = clock();
        const isHeld = { new: this.#postponed.new.take(ended), all: this.#postponed.all.take(ended) };
        this.#setTurn(ended - (this.#began ?? now));
        this.#began = undefined;
        this.#admitArrived();
        if (isHeld.all) this.#hasTime();
        else this.#beginWaiting(!isHeld.new);
      });
    }
    return now - this.#began < this.#turnMs;
  }

  #setTurn(loopMs: number): void {
    this.#turnMs = Math.min(TURN_MS.most, Math.max(TURN_MS.least, loopMs * TURN_MS.share));
  }

  /** Since those came that are admitted now the event loop has read all input once more. */
  #admitArrived(): void {
    for (const arrival of this.#arrivedBefore) this.#push('new', arrival);
    this.#arrivedBefore = this.#arrived;
    this.#arrived = [];
    // It asks for the next turn of the event loop.
    if (this.#arrivedBefore.length > 0) this.#hasTime();
  }

  #beginWaiting(mayBeginNew: boolean): void {
    const isWaiting = Object.values(this.#waiting).some((queue) => !queue.isEmpty);
    if (!isWaiting || !this.#hasTime()) return;
    const begin = this.#takeNext(mayBeginNew);
    begin?.();
    // After all microtasks, which do most of the work, so that the clock measures it.
    if (begin !== undefined) queueMicrotask(() => process.nextTick(() => this.#beginWaiting(mayBeginNew)));
  }

  /** Floods of connections that come and end leave half of the turns to those that stay. */
  #takeNext(mayBeginNew: boolean): (() => void) | undefined {
    const { known } = this.#waiting;
    this.#isForKnown = !this.#isForKnown;
    return this.#isForKnown
      ? (known.shift() ?? this.#takePassing(mayBeginNew))
      : (this.#takePassing(mayBeginNew) ?? known.shift());
  }

  /** What has ended comes before what is new: a connection takes its place until the server has learnt of its end. */
  #takePassing(mayBeginNew: boolean): (() => void) | undefined {
    const { new: ofNew, ended } = this.#waiting;
    return ended.shift() ?? (mayBeginNew ? ofNew.shift() : undefined);
  }
}

export interface ServedInTurns {
  turns: RequestTurns;
  /** The share of a request, which must be cheap to compute. */
  shareOf: (request: IncomingMessage) => Share;
}

/**
 * Makes a server start requests in turns. A waiting request costs no more than its parsing, and is not served if its client
 * has left. The first one of a connection waits in any case, for a moment: many clients at once that connect, ask and leave would
 * otherwise be served for nobody.
 */
export function serveInTurns(server: Server, { turns, shareOf }: ServedInTurns): void {
  const serve = server.listeners('request') as RequestListener[];
  const known = new WeakSet<Socket>();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    const begin = (): void => {
      if (socket.destroyed) return;
      for (const listener of serve) listener(request, response);
    };
    turns.add(shareOf(request), begin, known.has(socket) ? 'known' : 'perhaps left');
    known.add(socket);
  });
}
