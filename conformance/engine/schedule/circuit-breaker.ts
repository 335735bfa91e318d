/** After so many requests without a whole answer, an operation is called no more: each of them costs a whole time limit. */
const MAX_MISSED = 16;
/** For an operation that has never answered. */
const MAX_MISSED_AT_FIRST = 4;
/** For a service that has never answered, whatever was called. */
const MAX_MISSED_IN_ALL = 8;

/** Stops requests to operations that do not answer. */
export class CircuitBreaker {
  readonly #missed = new Map<string, number>();
  readonly #answered = new Set<string>();

  /** Whether an operation is called no more. */
  isOpen(operation: string): boolean {
    const missed = this.#missed.get(operation) ?? 0;
    if (this.#answered.size === 0 && sum(this.#missed.values()) >= MAX_MISSED_IN_ALL) return true;
    return missed >= (this.#answered.has(operation) ? MAX_MISSED : MAX_MISSED_AT_FIRST);
  }

  /** Records whether a whole answer came. */
  record(operation: string, answered: boolean): void {
    if (answered) this.#answered.add(operation);
    else this.#missed.set(operation, (this.#missed.get(operation) ?? 0) + 1);
  }
}

function sum(counts: Iterable<number>): number {
  return Iterator.from(counts).reduce((all, one) => all + one, 0);
}
