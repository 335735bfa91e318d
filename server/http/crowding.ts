import type { FastifyBaseLogger } from 'fastify';

/** What becomes of a connection, since there is one too many. */
export type CrowdedOut = 'gave-way' | 'refused';

/** How often it is told how many they were; in milliseconds. */
const TOLD_EACH_MS = 60_000;

export interface CrowdingOptions {
  logger: FastifyBaseLogger;
  maxConnections: number;
  /** Calls back once. Defaults to `setTimeout`. */
  later?: (callback: () => void, milliseconds: number) => void;
}

/** Logs that all connections are taken, or all that one network may have: when it begins, and then each minute how many were closed. */
export class Crowding {
  readonly #options: CrowdingOptions;
  #counts: Record<CrowdedOut, number> = { 'gave-way': 0, refused: 0 };
  #isOn = false;

  constructor(options: CrowdingOptions) {
    this.#options = options;
  }

  count(outcome: CrowdedOut): void {
    this.#counts[outcome] += 1;
    if (this.#isOn) return;
    this.#isOn = true;
    const { logger, maxConnections } = this.#options;
    logger.warn(
      { maxConnections },
      'all connections are taken, or all that one network may have: for new ones those are closed that wait for a request',
    );
    this.#tellLater();
  }

  #tellLater(): void {
    (this.#options.later ?? later)(() => this.#tell(), TOLD_EACH_MS);
  }

  #tell(): void {
    const { 'gave-way': gaveWay, refused } = this.#counts;
    this.#isOn = gaveWay + refused > 0;
    if (!this.#isOn) return;
    const { logger, maxConnections } = this.#options;
    this.#counts = { 'gave-way': 0, refused: 0 };
    logger.warn({ maxConnections, gaveWay, refused }, 'connections were closed, since there were too many');
    this.#tellLater();
  }
}

function later(callback: () => void, milliseconds: number): void {
  setTimeout(callback, milliseconds).unref();
}
