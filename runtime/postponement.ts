/** What is put off from one turn of the event loop to the next, though not for longer than a bound. */
export class Postponement {
  readonly #mostMs: number;
  #isAskedFor = false;
  #since: number | undefined;

  /** @param mostMs for how long at a time, in milliseconds */
  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** Whether it was put off in the last turn. */
  get isOn(): boolean {
    return this.#since !== undefined;
  }

  /** Puts it off for the next turn. */
  ask(): void {
    this.#isAskedFor = true;
  }

  /**
   * To be called once in each turn.
   *
   * @param now in milliseconds; of a clock that only goes forward
   * @returns whether it is put off in this one
   */
  take(now: number): boolean {
    const since = this.#isAskedFor ? (this.#since ?? now) : undefined;
    this.#isAskedFor = false;
    this.#since = since !== undefined && now - since < this.#mostMs ? since : undefined;
    return this.isOn;
  }
}
