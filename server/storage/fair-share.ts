import { FairQueue } from './fair-queue.ts';

/** One part in this many of every bound is reserved for holders that have little of it. */
const KEPT_FOR_OTHERS = 10;

/** The total to share, and the maximum of one holder. */
export interface FairShareOptions {
  total: number;
  /** The maximum of one holder. Defaults to everything except the reserve. */
  perHolder?: number;
  /** The maximum number of waiting requests, also shared fairly. Defaults to 1,000. */
  mostWaiting?: number;
}

/** Returns what was taken; does nothing when called again. */
export type GiveBack = () => void;

/** How much to take, and how long to wait for it. */
interface Waiting {
  /** Defaults to 1. */
  weight?: number;
  waitMs: number;
  /** The shares within the holder, the widest first, that take turns among themselves. */
  parts?: readonly string[];
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

interface Waiter {
  weight: number;
  admit: (giveBack: GiveBack) => void;
}

/**
 * A bounded resource (connections, disk, running work) that no holder (a workspace) can use up for the others: the
 * last tenth, and at least one unit, goes only to holders that would then have at most a tenth. Waiting
 * holders take turns.
 *
 * @example
 * const slots = new FairShare({ total: 4 });
 * const giveBack = await slots.take(workspaceId, { waitMs: 10_000 });
 * if (giveBack === undefined) throw new Unavailable('Others use all of it. Try again later.');
 */
export class FairShare {
  readonly #total: number;
  readonly #kept: number;
  readonly #perHolder: number;
  readonly #mostWaiting: number;
  readonly #held = new Map<string, number>();
  /** By holder, in the order of turns. */
  readonly #queues = new Map<string, FairQueue<Waiter>>();
  #places: FairShare | undefined;
  #used = 0;

  constructor({ total, perHolder, mostWaiting = 1_000 }: FairShareOptions) {
    this.#total = total;
    this.#kept = Math.max(1, Math.floor(total / KEPT_FOR_OTHERS));
    this.#perHolder = perHolder ?? Math.max(1, total - this.#kept);
    this.#mostWaiting = mostWaiting;
  }

  /** The amount taken by all holders together. */
  get used(): number {
    return this.#used;
  }

  /** Takes an amount immediately, or not at all: undefined if this holder may not have that much more. */
  tryTake(holder: string, weight = 1): GiveBack | undefined {
    const own = (this.#held.get(holder) ?? 0) + weight;
    const used = this.#used + weight;
    const isWithin = used <= this.#total - this.#kept || (own <= this.#kept && used <= this.#total);
    if (!isWithin || own > this.#perHolder) return undefined;
    this.#add(holder, weight);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#add(holder, -weight);
      while (this.#admitNext());
    };
  }

  /**
   * Takes an amount once the holder may have it; undefined if too many are already waiting, it takes longer than `waitMs`
   * milliseconds, or the signal is aborted meanwhile.
   */
  async take(holder: string, { weight = 1, ...waiting }: Waiting): Promise<GiveBack | undefined> {
    const taken = this.#queues.has(holder) ? undefined : this.tryTake(holder, weight);
    if (taken !== undefined) return taken;
    this.#places ??= new FairShare({ total: this.#mostWaiting });
    const leave = this.#places.tryTake(holder);
    if (leave === undefined) return undefined;
    try {
      return await this.#wait(holder, { weight, ...waiting });
    } finally {
      leave();
    }
  }

  #wait(holder: string, { weight = 1, parts = [], waitMs, signal }: Waiting): Promise<GiveBack | undefined> {
    const { promise, resolve } = Promise.withResolvers<GiveBack | undefined>();
    const queue = this.#queues.get(holder) ?? new FairQueue<Waiter>();
    this.#queues.set(holder, queue);
    const settle = (giveBack?: GiveBack) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      resolve(giveBack);
    };
    const waiter: Waiter = { weight, admit: settle };
    const leave = () => {
      queue.remove(parts, waiter);
      if (queue.isEmpty && this.#queues.get(holder) === queue) this.#queues.delete(holder);
      settle();
    };
    const timer = setTimeout(leave, waitMs).unref();
    signal?.addEventListener('abort', leave);
    queue.push(parts, waiter);
    return promise;
  }

  /** Admits the first waiting request that can be served, in the order of turns. */
  #admitNext(): boolean {
    for (const [holder, queue] of this.#queues) {
      const next = queue.peek();
      const taken = next && this.tryTake(holder, next.weight);
      if (next === undefined || taken === undefined) continue;
      queue.shift();
      // Its next turn comes after all holders that are waiting now.
      this.#queues.delete(holder);
      if (!queue.isEmpty) this.#queues.set(holder, queue);
      next.admit(taken);
      return true;
    }
    return false;
  }

  #add(holder: string, weight: number): void {
    this.#used += weight;
    const held = (this.#held.get(holder) ?? 0) + weight;
    if (held === 0) this.#held.delete(holder);
    else this.#held.set(holder, held);
  }
}
