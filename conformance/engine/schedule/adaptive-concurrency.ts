const MOST = 8;
const LEAST = 2;

/** How many exchanges are under way at once: fewer as soon as a service lets some of them wait for the others. */
export class Flow {
  readonly #slowMs: number;
  readonly #waiting: (() => void)[] = [];
  #most = MOST;
  #underWay = 0;
  #fastestMs = Infinity;

  /** @param slowMs an exchange that takes longer, and much longer than others did, says that there are too many at once. */
  constructor(slowMs: number) {
    this.#slowMs = slowMs;
  }

  async through<T>(exchange: () => Promise<T>): Promise<T> {
    while (this.#underWay >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#underWay += 1;
    const started = performance.now();
    try {
      return await exchange();
    } finally {
      this.#underWay -= 1;
      const took = performance.now() - started;
      this.#fastestMs = Math.min(this.#fastestMs, took);
      if (took > this.#slowMs && took > 2 * this.#fastestMs) this.#most = Math.max(LEAST, Math.floor(this.#most / 2));
      this.#waiting.shift()?.();
    }
  }
}
