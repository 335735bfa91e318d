import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { isOutOfFiles } from '../storage/transient-errors.ts';
import { ThreadFailure } from '../threads.ts';
import { findOperation } from './operation.ts';

/** The time without failures, in milliseconds, after which a success ends an outage. */
const QUIET_MS = 10_000;

const NO_MORE_FILES =
  'no more files can be opened: raise the limit of open files (ulimit -n), or lower --max-connections, and start again';

/**
 * Logs once that the database can't be used, no more files be opened, or no thread be started, and once that they can again: to the
 * operator that is one problem, however many requests it affects.
 */
export class Outage {
  readonly #logger: FastifyBaseLogger;
  readonly #now: () => number;
  #failedRequests = 0;
  #beganAt = 0;
  #failedAt = 0;
  #end = '';

  /** @param now milliseconds of any monotonic clock */
  constructor(logger: FastifyBaseLogger, now: () => number = () => performance.now()) {
    this.#logger = logger;
    this.#now = now;
  }

  /** Records a request that failed because of the database, of too many open files, or of a thread. */
  failed(error: unknown): void {
    this.#failedAt = this.#now();
    this.#failedRequests += 1;
    if (this.#failedRequests > 1) return;
    this.#beganAt = this.#failedAt;
    if (isOutOfFiles(error)) {
      this.#end = 'files can be opened again';
      this.#logger.error({ reason: String(error) }, NO_MORE_FILES);
    } else if (error instanceof ThreadFailure) {
      this.#end = 'what needed a thread is done again';
      this.#logger.error(error.message);
    } else {
      this.#end = 'the database can be used again';
      this.#logger.error({ reason: String(error) }, 'the database can not be used');
    }
  }

  /** Records a successful request. */
  ended(): void {
    const now = this.#now();
    if (this.#failedRequests === 0 || now - this.#failedAt < QUIET_MS) return;
    const seconds = Math.round((this.#failedAt - this.#beganAt) / 1_000);
    this.#logger.info({ failedRequests: this.#failedRequests, seconds }, this.#end);
    this.#failedRequests = 0;
  }
}

/** Reports each successful operation. */
export function watchForTheEnd(app: FastifyInstance, outage: Outage): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode < 500 && findOperation(request) !== undefined) outage.ended();
    done();
  });
}
