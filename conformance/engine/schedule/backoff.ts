import type { Outcome } from '../http/client.ts';
import { parseRetryAfter } from '../http/retry-after.ts';

/** How often a rate-limited request is sent. */
const MAX_TRIES = 8;
/** How long the requests of one lane may wait in a whole run. */
const MAX_WAITED_MS = 10 * 60_000;
const LONGEST_WAIT_MS = 30_000;
const SHORTEST_WAIT_MS = 50;
const LONGEST_BACKOFF_MS = 1_000;

/** Whether a request came too fast: the documents do not show the answer to that. */
export function isRateLimited({ answer }: Outcome): boolean {
  if (answer?.status === 429) return true;
  return answer?.status === 503 && answer.headers.some(([name]) => name === 'retry-after');
}

/** Decides how long rate-limited requests wait, and when to give up. */
export class Backoff {
  readonly #waitedMs = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  readonly #served = new Set<string>();

  /** Records an answer of an operation. */
  record(operation: string, outcome: Outcome): void {
    if (isRateLimited(outcome)) this.#refused.set(operation, (this.#refused.get(operation) ?? 0) + 1);
    else this.#served.add(operation);
  }

  /** Milliseconds until the next try; `undefined` where there is none. */
  chooseWaitMs(lane: string, operation: string, outcome: Outcome, tries: number): number | undefined {
    const waited = this.#waitedMs.get(lane) ?? 0;
    if (tries >= MAX_TRIES || waited > MAX_WAITED_MS || this.#isHopeless(operation)) return undefined;
    const backoff = Math.min(SHORTEST_WAIT_MS * 2 ** (tries - 1), LONGEST_BACKOFF_MS);
    const wait = Math.min(Math.max(parseRetryAfter(outcome.answer, Date.now()) ?? 0, backoff), LONGEST_WAIT_MS);
    this.#waitedMs.set(lane, waited + wait);
    return wait;
  }

  /** Whether no request was ever served: neither by the operation nor, which shows sooner, by the service. */
  #isHopeless(operation: string): boolean {
    if (this.#served.has(operation)) return false;
    const refused = this.#served.size === 0 ? [...this.#refused.values()] : [this.#refused.get(operation) ?? 0];
    return refused.reduce((sum, count) => sum + count, 0) >= MAX_TRIES;
  }
}
