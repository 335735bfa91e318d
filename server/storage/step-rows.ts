/** Others wait for one transaction, so it takes about so long, in milliseconds, without its end. */
const WANTED_MS = 10;

/** A row may have some 400 KB. */
const FEWEST = 10;
const MOST = 1_000;

/** How many rows a transaction deletes: fewer where they are large, or their disk is slow. */
export class StepRows {
  #count = FEWEST;

  get count(): number {
    return this.#count;
  }

  /** To be told how long that many took, in milliseconds. */
  learnFrom(tookMs: number): void {
    if (tookMs < WANTED_MS) this.#count = Math.min(MOST, this.#count * 2);
    else if (tookMs > 2 * WANTED_MS) this.#count = Math.max(FEWEST, Math.floor(this.#count / 2));
  }
}
