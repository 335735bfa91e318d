import type { Outcome } from '../http/client.ts';
import { retryAfterMs } from '../http/retry-after.ts';

/** How often a request is sent that is refused for coming too fast. */
const MOST_TRIES = 8;
/** So long a lane may have waited in a whole run. */
const MOST_WAITED_MS = 5 * 60_000;
const LONGEST_WAIT_MS = 30_000;
const SHORTEST_WAIT_MS = 50;
const LONGEST_BACKOFF_MS = 1_000;

/** Whether a request came too fast: what that is answered with is not shown. */
export function isLimited({ answer }: Outcome): boolean {
  if (answer?.status === 429) return true;
  return answer?.status === 503 && answer.headers.some(([name]) => name === 'retry-after');
}

/** How long requests wait that came too fast, and how long that is worth it. */
export class Limits {
  readonly #waitedMs = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  readonly #served = new Set<string>();

  /** Notes an answer of an operation. */
  note(operation: string, outcome: Outcome): void {
    if (isLimited(outcome)) this.#refused.set(operation, (this.#refused.get(operation) ?? 0) + 1);
    else this.#served.add(operation);
  }

  /** Milliseconds until the next try; `undefined` where there is none. */
  waitMs(lane: string, operation: string, outcome: Outcome, tries: number): number | undefined {
    const waited = this.#waitedMs.get(lane) ?? 0;
    if (tries >= MOST_TRIES || waited > MOST_WAITED_MS || this.#isHopeless(operation)) return undefined;
    const backoff = Math.min(SHORTEST_WAIT_MS * 2 ** (tries - 1), LONGEST_BACKOFF_MS);
    const wait = Math.min(Math.max(retryAfterMs(outcome.answer, Date.now()) ?? 0, backoff), LONGEST_WAIT_MS);
    this.#waitedMs.set(lane, waited + wait);
    return wait;
  }

  /** Whether nobody was ever served: neither by the operation nor, sooner found out, by the service. */
  #isHopeless(operation: string): boolean {
    if (this.#served.has(operation)) return false;
    const refused = this.#served.size === 0 ? [...this.#refused.values()] : [this.#refused.get(operation) ?? 0];
    return refused.reduce((sum, count) => sum + count, 0) >= MOST_TRIES;
  }
}
