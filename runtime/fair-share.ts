import { FairOrder } from './fair-order.ts';
import { FairQueue } from './fair-queue.ts';

export interface FairShareOptions {
  /** What there is to share. */
  total: number;
  /**
   * How much is kept for holders that have no more than that. Left out: nobody takes more than it leaves. Less will do where
   * everything is given back within moments.
   */
  kept?: number;
  /** Milliseconds of any monotonic clock. Defaults to the process's. */
  now?: () => number;
  /** The maximum number of waiting requests, also shared fairly. Defaults to 1,000. */
  mostWaiting?: number;
}

/** Returns what was taken; does nothing when called again. */
export type GiveBack = () => void;

/** How much to take, and how long to wait for it. */
interface Waiting {
  /** Defaults to 1. */
  weight?: number;
  /** In milliseconds; as long as it takes, if left out. */
  waitMs?: number;
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
 * A bounded resource (connections, disk, running work) that no few holders (workspaces) can use up for the others, however much
 * they ask for and however long they hold it: nobody takes more than it leaves. So whoever comes first has half at most, the next
 * half of what is left, and so on; as it is given back, two that ask for all they can get come to a third each, and a third is
 * left. Who has nothing may have one thing of any weight, where that is left. Of those who wait, whoever has held least, by
 * amount and time, comes first: so one that asks for little waits for none of the others that wait, however many they are. Where
 * several have held as little, they take turns.
 *
 * @example
 * const slots = new FairShare({ total: 4 });
 * const giveBack = await slots.take(workspaceId, { waitMs: 10_000 });
 * if (giveBack === undefined) throw new Unavailable('Others use all of it. Try again later.');
 */
export class FairShare {
  readonly #total: number;
  readonly #kept: number | undefined;
  readonly #mostWaiting: number;
  readonly #now: () => number;
  /** By the part of all that is held, and the time. */
  readonly #order = new FairOrder();
  readonly #held = new Map<string, number>();
  /** By holder, in the order of turns. */
  readonly #queues = new Map<string, FairQueue<Waiter>>();
  #places: FairShare | undefined;
  #used = 0;

  constructor({ total, kept, now = () => performance.now(), mostWaiting = 1_000 }: FairShareOptions) {
    this.#total = total;
    this.#kept = kept;
    this.#now = now;
    this.#mostWaiting = mostWaiting;
  }

  /** The amount taken by all holders together. */
  get used(): number {
    return this.#used;
  }

  /** The amount taken by one holder. */
  heldBy(holder: string): number {
    return this.#held.get(holder) ?? 0;
  }

  /** Takes an amount immediately, or not at all: undefined if this holder may not have that much more. */
  tryTake(holder: string, weight = 1): GiveBack | undefined {
    if (!this.#mayTake(holder, weight)) return undefined;
    this.#add(holder, weight);
    const use = this.#order.begin(holder, this.#now(), weight / this.#total);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#add(holder, -weight);
      this.#order.end(use, this.#now(), this.#queues.size > 0);
      while (this.#admitNext());
    };
  }

  #mayTake(holder: string, weight: number): boolean {
    const held = this.heldBy(holder);
    const left = this.#total - this.#used - weight;
    return left >= 0 && (held === 0 || this.#isFair(held + weight, left));
  }

  /** Whether one may have so much and leave so much, in sum. */
  #isFair(own: number, left: number): boolean {
    return this.#kept === undefined ? own <= left : own <= this.#kept || left >= this.#kept;
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
    const timer = waitMs === undefined ? undefined : setTimeout(leave, waitMs).unref();
    signal?.addEventListener('abort', leave);
    queue.push(parts, waiter);
    return promise;
  }

  /** Admits the next waiting request that can be served. */
  #admitNext(): boolean {
    const holder = this.#order.first(this.#admissible());
    const queue = holder === undefined ? undefined : this.#queues.get(holder);
    const next = queue?.shift();
    const taken = holder === undefined || next === undefined ? undefined : this.tryTake(holder, next.weight);
    if (holder === undefined || queue === undefined || next === undefined || taken === undefined) return false;
    // Where others have held as little, its next turn comes after all holders that are waiting now.
    this.#queues.delete(holder);
    if (!queue.isEmpty) this.#queues.set(holder, queue);
    next.admit(taken);
    return true;
  }

  *#admissible(): Iterable<string> {
    for (const [holder, queue] of this.#queues) {
      const next = queue.peek();
      if (next !== undefined && this.#mayTake(holder, next.weight)) yield holder;
    }
  }

  #add(holder: string, weight: number): void {
    this.#used += weight;
    const held = this.heldBy(holder) + weight;
    if (held === 0) this.#held.delete(holder);
    else this.#held.set(holder, held);
  }
}
