import type { FastifyBaseLogger } from 'fastify';

/**
 * What becomes of a connection, since there is one too many: it gives way to a new one; it is new, and refused since none gives way to it; or
 * it is turned away before it is made, since more come than can be accepted.
 */
export type CrowdedOut = 'gave-way' | 'refused' | 'turned-away';

const ALL_TAKEN =
  'all connections are taken, or all that one network may have: for new ones those are closed that wait for a request';

const BEGINS: Record<CrowdedOut, string> = {
  'gave-way': ALL_TAKEN,
  refused: ALL_TAKEN,
  'turned-away':
    'more connections come than can be accepted: of the networks from which most come, new ones are closed',
};

/** How often it is told how many they were; in milliseconds. */
const TOLD_EACH_MS = 60_000;

export interface CrowdingOptions {
  logger: FastifyBaseLogger;
  maxConnections: number;
  /** Counts the connections that are closed. */
  counted: (outcome: CrowdedOut) => void;
  /** Calls back once. Defaults to `setTimeout`. */
  later?: (callback: () => void, milliseconds: number) => void;
}

/** Logs that there are too many connections: when it begins, and then each minute how many were closed. */
export class Crowding {
  readonly #options: CrowdingOptions;
  #counts = noCounts();
  #isOn = false;

  constructor(options: CrowdingOptions) {
    this.#options = options;
  }

  count(outcome: CrowdedOut): void {
    this.#counts[outcome] += 1;
    const { logger, maxConnections, counted } = this.#options;
    counted(outcome);
    if (this.#isOn) return;
    this.#isOn = true;
    logger.warn({ maxConnections }, BEGINS[outcome]);
    this.#tellLater();
  }

  #tellLater(): void {
    (this.#options.later ?? later)(() => this.#tell(), TOLD_EACH_MS);
  }

  #tell(): void {
    const { 'gave-way': gaveWay, refused, 'turned-away': turnedAway } = this.#counts;
    this.#isOn = gaveWay + refused + turnedAway > 0;
    if (!this.#isOn) return;
    const { logger, maxConnections } = this.#options;
    this.#counts = noCounts();
    logger.warn({ maxConnections, gaveWay, refused, turnedAway }, 'connections were closed, since there were too many');
    this.#tellLater();
  }
}

function noCounts(): Record<CrowdedOut, number> {
  return { 'gave-way': 0, refused: 0, 'turned-away': 0 };
}

function later(callback: () => void, milliseconds: number): void {
  setTimeout(callback, milliseconds).unref();
}
