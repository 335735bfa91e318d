/** Lets only one at a time do a thing; who comes later waits for those before. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  alone<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(thing) ?? Promise.resolve()).then(work);
    this.#last.set(
      thing,
      turn.catch(() => {}),
    );
    return turn;
  }
}
