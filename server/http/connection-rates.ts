/** In milliseconds. */
const SPAN_MS = 1_000;

/** What does not count as much: as many as a large client opens at once, and this part of all. */
export const LITTLE = { count: 1_500, part: 1 / 50 };

/** From which networks connections have come in the last second or two. */
export class ConnectionRates {
  #began = Number.NEGATIVE_INFINITY;
  #counts = new Map<string, number>();
  #before = new Map<string, number>();
  #total = 0;
  #totalBefore = 0;

  /** How many have come. */
  get total(): number {
    return this.#total + this.#totalBefore;
  }

  /** @param now in milliseconds; of a clock that only goes forward */
  count(network: string, now: number): void {
    this.#forget(now);
    this.#counts.set(network, (this.#counts.get(network) ?? 0) + 1);
    this.#total += 1;
  }

  /**
   * Whether much of all has come of this network, and more than of others on average, of which there is taken to be one more than are known.
   */
  isMuchOf(network: string): boolean {
    const networks = Math.max(this.#counts.size, this.#before.size);
    const ofIt = (this.#counts.get(network) ?? 0) + (this.#before.get(network) ?? 0);
    return ofIt > Math.max(LITTLE.count, this.total * LITTLE.part, this.total / (networks + 1));
  }

  #forget(now: number): void {
    const passed = now - this.#began;
    if (passed < SPAN_MS) return;
    const isLast = passed < 2 * SPAN_MS;
    this.#before = isLast ? this.#counts : new Map();
    this.#totalBefore = isLast ? this.#total : 0;
    this.#counts = new Map();
    this.#total = 0;
    this.#began = now;
  }
}
