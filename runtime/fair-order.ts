/** The most that one use counts, so that nobody is put off for long after one that took very long. */
const MOST_COUNTED = 1_000;

/** How much of what a holder did not use it may catch up with: so much that it comes before those whose use ends just now. */
const CREDIT = 10;

/** How many holders are remembered at least before those are forgotten that count as new. */
const MANY = 1_000;

/**
 * The order in which holders come to what they share: start-time fair queueing (Goyal, Vin and Cheng, 1996). Each holder's next use
 * starts where its last one ended, but not long before that of whoever has come last; whose starts first comes first. So one that asks
 * for little comes before all that ask for all they can get, however many they are, and those get the same amount each. Nobody saves
 * up much of what they did not use.
 */
export class FairOrder {
  /** Where the last use of each holder ended. */
  readonly #ends = new Map<string, number>();
  /** Where the use started of whoever has come last. */
  #now = 0;
  /** Past this number old ones are looked for. It grows with those that stay, so that the looks cost little for each use. */
  #many = MANY;

  /** Where a holder's next use would start. */
  startOf(holder: string): number {
    return Math.max(this.#now - CREDIT, this.#endOf(holder));
  }

  /**
   * Who comes first: of those whose use would start at the same place whoever has ended first, and where that is the same, too,
   * whoever is named first. Undefined where there is nobody.
   */
  first(holders: Iterable<string>): string | undefined {
    let first: string | undefined;
    for (const holder of holders) if (first === undefined || this.#isBefore(holder, first)) first = holder;
    return first;
  }

  #isBefore(one: string, other: string): boolean {
    const [start, otherStart] = [this.startOf(one), this.startOf(other)];
    return start === otherStart ? this.#endOf(one) < this.#endOf(other) : start < otherStart;
  }

  /**
   * To be called when a holder comes.
   *
   * @returns where its use starts
   */
  begin(holder: string): number {
    const start = this.startOf(holder);
    this.#now = Math.max(this.#now, start);
    return start;
  }

  /**
   * To be called when it has ended.
   *
   * @param start as {@link begin} returned it
   * @param amount such as the time that it took, in milliseconds
   */
  end(holder: string, start: number, amount: number): void {
    this.#ends.set(holder, Math.max(this.#ends.get(holder) ?? start, start) + Math.min(amount, MOST_COUNTED));
    if (this.#ends.size > this.#many) this.#forgetOld();
  }

  #endOf(holder: string): number {
    return this.#ends.get(holder) ?? Number.NEGATIVE_INFINITY;
  }

  #forgetOld(): void {
    for (const [holder, end] of this.#ends) if (end <= this.#now - CREDIT) this.#ends.delete(holder);
    this.#many = Math.max(MANY, 2 * this.#ends.size);
  }
}
