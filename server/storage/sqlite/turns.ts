/**
 * Divides the one thread between long reads and everything else: of all who read, one works at a time, and between two of them
 * the event loop goes round, so that whatever else has come gets its turn.
 */
export class Turns {
  #free: Promise<void> = Promise.resolve();

  /** Resolves when the caller may work: until it next awaits what is not settled yet. */
  take(): Promise<void> {
    const mine = this.#free;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#free = promise;
    return mine.then(() => {
      setImmediate(resolve);
    });
  }
}
