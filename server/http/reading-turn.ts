/** Calls back when some more may be read, now or later. */
export type InTurn = (read: () => void) => void;

/** The turns of somebody who reads, and asks for one at a time. */
export class ReadingTurn {
  readonly #inTurn: InTurn;
  readonly #goOn: () => void;
  #isAskedFor = false;
  #isHere = false;

  /** @param goOn is called when a turn has come that had to be waited for: then the next `take()` gets it */
  constructor(inTurn: InTurn, goOn: () => void) {
    this.#inTurn = inTurn;
    this.#goOn = goOn;
  }

  /** Takes the turn that is here, or asks for one, which may be given at once. @returns whether there was one */
  take(): boolean {
    if (!this.#isHere && !this.#isAskedFor) this.#ask();
    const wasHere = this.#isHere;
    this.#isHere = false;
    return wasHere;
  }

  #ask(): void {
    let isAsking = true;
    this.#isAskedFor = true;
    this.#inTurn(() => {
      this.#isAskedFor = false;
      this.#isHere = true;
      if (!isAsking) this.#goOn();
    });
    isAsking = false;
  }
}
