import type { FastifyBaseLogger } from 'fastify';

/** How long nothing is logged of a reason that follows another; in milliseconds. */
const TOLD_EACH_MS = 60_000;

/**
 * Logs what keeps a server from being ready: once when it begins, and once when it is over. One outage may have reasons in turn, which
 * differ with what a check meets first: those that follow are logged each minute at most.
 */
export class ReadinessLog {
  readonly #logger: FastifyBaseLogger;
  readonly #now: () => number;
  #told: { reason: string; at: number } | undefined;

  /** @param now milliseconds of any monotonic clock */
  constructor(logger: FastifyBaseLogger, now: () => number = () => performance.now()) {
    this.#logger = logger;
    this.#now = now;
  }

  /** @param reason undefined where it is ready */
  note(reason: string | undefined): void {
    if (reason === undefined) this.#end();
    else if (this.#told === undefined || this.#isOther(this.#told, reason)) {
      this.#told = { reason, at: this.#now() };
      this.#logger.error({ reason }, 'not ready');
    }
  }

  #isOther(told: { reason: string; at: number }, reason: string): boolean {
    return reason !== told.reason && this.#now() - told.at >= TOLD_EACH_MS;
  }

  #end(): void {
    if (this.#told !== undefined) this.#logger.info('ready again');
    this.#told = undefined;
  }
}
