/** One part in so many of every bound is kept for those who use nothing of it yet. */
const KEPT_FOR_OTHERS = 10;

/**
 * A bound that many holders (workspaces) share. No holder, and no few of them, can take all of it: the last tenth, and at least
 * one, is given only to holders that would then have no more than a tenth.
 */
export class FairShare {
  readonly #total: number;
  readonly #kept: number;
  readonly #held = new Map<string, number>();
  #used = 0;

  /** @param total the bound, in whatever is weighed */
  constructor(total: number) {
    this.#total = total;
    this.#kept = Math.max(1, Math.floor(total / KEPT_FOR_OTHERS));
  }

  /** How much is taken by all holders together. */
  get used(): number {
    return this.#used;
  }

  /** Takes a weight of the bound if the holder may have it now; whatever the weight, who is alone may have it. */
  take(holder: string, weight: number): boolean {
    const own = (this.#held.get(holder) ?? 0) + weight;
    const used = this.#used + weight;
    const fits = used <= this.#total - this.#kept || (own <= this.#kept && used <= this.#total) || this.#used === 0;
    if (!fits) return false;
    this.#held.set(holder, own);
    this.#used = used;
    return true;
  }

  /** Gives back what was taken. */
  give(holder: string, weight: number): void {
    const left = (this.#held.get(holder) ?? 0) - weight;
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
    this.#used -= weight;
  }
}
