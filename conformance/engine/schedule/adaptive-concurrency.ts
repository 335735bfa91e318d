import PQueue from 'p-queue';

const MOST = 8;
const LEAST = 2;

/** How many exchanges are under way at once: fewer as soon as a service makes some of them wait for the others. */
export class AdaptiveConcurrency {
  readonly #slowMs: number;
  readonly #queue: PQueue;
  #fastestMs = Infinity;

  /**
   * @param slowMs - an exchange that takes longer, and much longer than others did, shows that there are too many at once.
   * @param most - defaults to 8.
   */
  constructor(slowMs: number, most = MOST) {
    this.#slowMs = slowMs;
    this.#queue = new PQueue({ concurrency: most });
  }

  run<T>(exchange: () => Promise<T>): Promise<T> {
    return this.#queue.add(async () => {
      const started = performance.now();
      try {
        return await exchange();
      } finally {
        this.#adapt(performance.now() - started);
      }
    });
  }

  #adapt(tookMs: number): void {
    const queue = this.#queue;
    this.#fastestMs = Math.min(this.#fastestMs, tookMs);
    if (tookMs <= this.#slowMs || tookMs <= 2 * this.#fastestMs) return;
    queue.concurrency = Math.min(queue.concurrency, Math.max(LEAST, Math.floor(queue.concurrency / 2)));
  }
}
