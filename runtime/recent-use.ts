/** In this time what was used comes to count e times less; in milliseconds. */
const FADES_MS = 10_000;

/** When it is counted anew from now, so that no number becomes too large. */
const COUNTED_ANEW_MS = 30 * FADES_MS;

/** What counts for nothing any more. */
const NOTHING = 1e-3;

/**
 * How much each holder has used lately of what they share. Whoever has used least comes first: so one that asks for little now
 * and then waits for none of those that ask for all they can get, however many they are.
 */
export class RecentUse {
  /** As of {@link #since}: what is used later counts more, so that nothing has to be changed as time passes. */
  readonly #used = new Map<string, number>();
  #since = 0;

  /**
   * @param amount such as the time for which it was held
   * @param now milliseconds of any monotonic clock
   */
  add(holder: string, amount: number, now: number): void {
    if (now - this.#since > COUNTED_ANEW_MS) this.#countAnew(now);
    this.#used.set(holder, this.of(holder) + amount * growth(now - this.#since));
  }

  /** What compares with that of other holders, and says nothing by itself. */
  of(holder: string): number {
    return this.#used.get(holder) ?? 0;
  }

  #countAnew(now: number): void {
    const shrinks = 1 / growth(now - this.#since);
    for (const [holder, used] of this.#used) {
      const left = used * shrinks;
      if (left < NOTHING) this.#used.delete(holder);
      else this.#used.set(holder, left);
    }
    this.#since = now;
  }
}

function growth(elapsed: number): number {
  return Math.exp(elapsed / FADES_MS);
}
