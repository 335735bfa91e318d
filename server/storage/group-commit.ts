/** Calls back once, after so many milliseconds. */
export type Timer = (callback: () => void, milliseconds: number) => unknown;

export interface GroupCommitOptions<Request, Outcome> {
  /**
   * Makes all of the requests durable, or throws and has done nothing.
   *
   * @returns the outcome of each, in the same order
   */
  commit: (requests: readonly Request[]) => Promise<readonly Outcome[]>;
  /** How much of the bounds a request takes. */
  weigh: (request: Request) => number;
  /** Whether an error would meet every request alike, so that trying them one by one would only take longer. */
  meetsAll: (error: unknown) => boolean;
  /** How long the first request of a group waits for others. */
  delayMs: number;
  /** A group is not filled beyond this weight; one that has reached it waits no longer. */
  maxGroupWeight: number;
  /** Past this weight of waiting requests further ones are refused. */
  maxWaitingWeight: number;
  timer: Timer;
}

/** The request was not taken and nothing of it was done; it can be tried again. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
}

interface Waiting<Request, Outcome> {
  request: Request;
  weight: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/**
 * Makes requests that arrive close together durable in one transaction, since its cost is mostly that of the transaction.
 *
 * What always holds:
 * - One group is committed at a time, and requests are committed in the order in which they arrived.
 * - A request is answered only after the transaction that holds it was committed, or after one that held it alone failed.
 *   Where a group fails, each of its requests is tried alone: one that can't succeed fails alone.
 * - Whenever requests wait, either a timer is armed or the loop that takes them is running, so none waits for ever.
 * - At most `maxWaitingWeight` waits, besides the one group under way.
 */
export class GroupCommit<Request, Outcome> {
  readonly #options: GroupCommitOptions<Request, Outcome>;
  #waiting: Waiting<Request, Outcome>[] = [];
  #waitingWeight = 0;
  #armed = false;
  #running = false;
  #closed = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(options: GroupCommitOptions<Request, Outcome>) {
    this.#options = options;
  }

  /**
   * Resolves with the outcome once it is durable.
   *
   * @throws NotTaken when too much waits already, or after {@link close}
   */
  async submit(request: Request): Promise<Outcome> {
    if (this.#closed) throw new NotTaken('The service is stopping. Try again in a moment.');
    const weight = this.#options.weigh(request);
    const fits = this.#waiting.length === 0 || this.#waitingWeight + weight <= this.#options.maxWaitingWeight;
    if (!fits) throw new NotTaken('The service has more to store than it can now. Try again in a moment.');
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, weight, resolve, reject });
      this.#waitingWeight += weight;
      this.#schedule();
    });
  }

  /** Takes no more requests, and resolves when all that were taken are answered. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#start();
    await this.#idle;
  }

  #schedule(): void {
    if (this.#running) return;
    if (this.#waitingWeight >= this.#options.maxGroupWeight) this.#start();
    else if (!this.#armed) {
      this.#armed = true;
      this.#options.timer(() => {
        this.#armed = false;
        this.#start();
      }, this.#options.delayMs);
    }
  }

  #start(): void {
    if (!this.#running) this.#idle = this.#run();
  }

  /** What arrives during a commit makes the next group at once: it has waited long enough. */
  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) await this.#commit(this.#takeGroup());
    // Nothing is awaited between the last look at the queue and this, so no request can slip between them.
    this.#running = false;
  }

  #takeGroup(): Waiting<Request, Outcome>[] {
    let weight = 0;
    const tooMany = this.#waiting.findIndex((one, index) => {
      weight += one.weight;
      return index > 0 && weight > this.#options.maxGroupWeight;
    });
    const group = this.#waiting.splice(0, tooMany === -1 ? this.#waiting.length : tooMany);
    this.#waitingWeight -= group.reduce((sum, one) => sum + one.weight, 0);
    return group;
  }

  async #commit(group: readonly Waiting<Request, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#options.commit(group.map(({ request }) => request));
      for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      if (group.length > 1 && !this.#options.meetsAll(error)) for (const one of group) await this.#commit([one]);
      else for (const { reject } of group) reject(error);
    }
  }
}
