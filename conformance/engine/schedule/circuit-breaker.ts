/** After so many requests without a whole answer, an operation is asked no more: each of them costs a whole time limit. */
const MOST = 16;
/** Of an operation that has never answered. */
const MOST_AT_FIRST = 4;
/** Of a service that has never answered, whatever it was asked. */
const MOST_OF_ALL = 8;

/** Which operations of a service are worth to be waited for. */
export class Silence {
  readonly #missed = new Map<string, number>();
  readonly #heard = new Set<string>();

  isGivenUp(operation: string): boolean {
    const missed = this.#missed.get(operation) ?? 0;
    if (this.#heard.size === 0 && sum(this.#missed.values()) >= MOST_OF_ALL) return true;
    return missed >= (this.#heard.has(operation) ? MOST : MOST_AT_FIRST);
  }

  /** Notes whether a whole answer came. */
  note(operation: string, answered: boolean): void {
    if (answered) this.#heard.add(operation);
    else this.#missed.set(operation, (this.#missed.get(operation) ?? 0) + 1);
  }
}

function sum(counts: Iterable<number>): number {
  return Iterator.from(counts).reduce((all, one) => all + one, 0);
}
