/** How much there is to share, and how much of it one holder may have. */
export interface FairShareOptions {
  total: number;
  /** The most that one holder may have. Defaults to all but what is kept for the others. */
  perHolder?: number;
}

/** Gives back what was taken; does nothing when called again. */
export type GiveBack = () => void;

interface Waiter {
  holder: string;
  weight: number;
  admit: (giveBack: GiveBack | undefined) => void;
}

/**
 * A bounded amount of anything (connections, disk, work under way) that no holder can use up for the others: a tenth of it, at
 * least one, is only for holders that have nothing yet. Whatever becomes free goes to the waiting holder that has the least.
 *
 * @example
 * const slots = new FairShare({ total: 4 });
 * const giveBack = await slots.take(workspaceId, { waitMs: 10_000 });
 * if (giveBack === undefined) throw new Error('Others use all of it. Try again later.');
 */
export class FairShare {
  readonly #total: number;
  readonly #kept: number;
  readonly #perHolder: number;
  readonly #held = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #used = 0;

  constructor({ total, perHolder }: FairShareOptions) {
    this.#total = total;
    this.#kept = Math.max(1, Math.floor(total / 10));
    this.#perHolder = perHolder ?? Math.max(1, total - this.#kept);
  }

  /** Takes it now, or not at all: undefined when this holder may not have so much more. */
  tryTake(holder: string, weight = 1): GiveBack | undefined {
    const held = this.#heldBy(holder);
    if (held + weight > this.#perHolder || this.#used + weight > this.#total - (held === 0 ? 0 : this.#kept)) {
      return undefined;
    }
    this.#add(holder, weight);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#add(holder, -weight);
      this.#admitWaiting();
    };
  }

  /** Takes it once the holder may have it; undefined when that has not come about within `waitMs` milliseconds. */
  take(holder: string, { weight = 1, waitMs }: { weight?: number; waitMs: number }): Promise<GiveBack | undefined> {
    const taken = this.tryTake(holder, weight);
    if (taken !== undefined) return Promise.resolve(taken);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        holder,
        weight,
        admit: (giveBack) => {
          clearTimeout(timer);
          this.#waiting.delete(waiter);
          resolve(giveBack);
        },
      };
      const timer = setTimeout(() => waiter.admit(undefined), waitMs).unref();
      this.#waiting.add(waiter);
    });
  }

  #heldBy(holder: string): number {
    return this.#held.get(holder) ?? 0;
  }

  #add(holder: string, weight: number): void {
    this.#used += weight;
    const held = this.#heldBy(holder) + weight;
    if (held === 0) this.#held.delete(holder);
    else this.#held.set(holder, held);
  }

  #admitWaiting(): void {
    const byHolding = [...this.#waiting].toSorted((a, b) => this.#heldBy(a.holder) - this.#heldBy(b.holder));
    for (const waiter of byHolding) {
      const taken = this.tryTake(waiter.holder, waiter.weight);
      if (taken === undefined) continue;
      waiter.admit(taken);
      // Its holder now has more, so another may be the next.
      return this.#admitWaiting();
    }
  }
}
