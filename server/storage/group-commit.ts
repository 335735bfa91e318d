import { FairShare, type GiveBack } from './fair-share.ts';
import { workFor } from './holder.ts';

/** Calls back once, after so many milliseconds. */
export type Timer = (callback: () => void, milliseconds: number) => unknown;

export interface GroupCommitOptions<Request, Outcome> {
  /**
   * Makes all of the requests, which have one holder, durable, or throws and has done nothing.
   *
   * @returns the outcome of each, in the same order
   */
  commit: (requests: readonly Request[]) => Promise<readonly Outcome[]>;
  /** Who the request is of (a workspace): holders take turns, and a group holds the requests of one. */
  holderOf: (request: Request) => string;
  /** How much of the bounds a request takes. */
  weigh: (request: Request) => number;
  /** Whether an error would meet every request alike, so that trying them one by one would only take longer. */
  meetsAll: (error: unknown) => boolean;
  /** How long the first request of a group waits for others. */
  delayMs: number;
  /** A group is not filled beyond this weight; one that has reached it waits no longer. */
  maxGroupWeight: number;
  /** Past this weight of waiting requests further ones are refused; a tenth of it is kept for holders of whom little waits. */
  maxWaitingWeight: number;
  /** How many groups, each of another holder, are committed at once. */
  concurrency: number;
  timer: Timer;
}

/** The request was not taken and nothing of it was done; it can be tried again. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
}

interface Waiting<Request, Outcome> {
  request: Request;
  weight: number;
  leave: GiveBack;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/**
 * Makes requests that arrive close together durable in one transaction, since its cost is mostly that of the transaction.
 *
 * What always holds:
 * - Of each holder one group at a time is committed, and its requests in the order in which they arrived.
 * - Holders take turns: who has little to store waits for at most one group of each of the others.
 * - A request is answered only after the transaction that holds it was committed, or after one that held it alone failed.
 *   Where a group fails, each of its requests is tried alone: one that can't succeed fails alone.
 * - Whenever requests wait, a timer is armed or as many groups are under way as may be or as there are holders, and the end of
 *   each takes the next; so none waits for ever.
 * - At most `maxWaitingWeight` waits, besides the groups under way.
 */
export class GroupCommit<Request, Outcome> {
  readonly #options: GroupCommitOptions<Request, Outcome>;
  /** What waits, by holder, in the order of their turns; the queue of a holder whose group is under way is the other map's. */
  readonly #queues = new Map<string, Waiting<Request, Outcome>[]>();
  readonly #underWay = new Map<string, Waiting<Request, Outcome>[]>();
  readonly #room: FairShare;
  #armed = false;
  #hurried = false;
  #closed: PromiseWithResolvers<void> | undefined;

  constructor(options: GroupCommitOptions<Request, Outcome>) {
    this.#options = options;
    this.#room = new FairShare({ total: options.maxWaitingWeight });
  }

  /**
   * Resolves with the outcome once it is durable.
   *
   * @throws NotTaken when too much waits already, or after {@link close}
   */
  async submit(request: Request): Promise<Outcome> {
    if (this.#closed !== undefined) throw new NotTaken('The service is stopping. Try again in a moment.');
    const holder = this.#options.holderOf(request);
    const weight = this.#options.weigh(request);
    const leave = this.#room.tryTake(holder, weight);
    if (leave === undefined) {
      throw new NotTaken('The service has more to store than it can now. Try again in a moment.');
    }
    return new Promise((resolve, reject) => {
      const queue = this.#underWay.get(holder) ?? this.#queues.get(holder) ?? [];
      if (!this.#underWay.has(holder)) this.#queues.set(holder, queue);
      queue.push({ request, weight, leave, resolve, reject });
      this.#schedule();
    });
  }

  /** From now on no request waits for others to be committed together with. */
  hurry(): void {
    this.#hurried = true;
    this.#commitWaiting();
  }

  /** Takes no more requests, and resolves when all that were taken are answered. */
  async close(): Promise<void> {
    this.#closed ??= Promise.withResolvers();
    this.#commitWaiting();
    await this.#closed.promise;
  }

  #schedule(): void {
    if (this.#underWay.size >= this.#options.concurrency) return;
    if (this.#hurried || this.#room.used >= this.#options.maxGroupWeight) this.#commitWaiting();
    else if (!this.#armed) {
      this.#armed = true;
      this.#options.timer(() => {
        this.#armed = false;
        this.#commitWaiting();
      }, this.#options.delayMs);
    }
  }

  /** Begins as many groups as may be under way. What arrives during a commit is taken at once: it has waited long enough. */
  #commitWaiting(): void {
    for (const [holder, queue] of this.#queues) {
      if (this.#underWay.size >= this.#options.concurrency) break;
      this.#queues.delete(holder);
      this.#underWay.set(holder, queue);
      void this.#commitNext(holder, queue);
    }
    if (this.#underWay.size === 0) this.#closed?.resolve();
  }

  async #commitNext(holder: string, queue: Waiting<Request, Outcome>[]): Promise<void> {
    await this.#commit(holder, this.#takeGroup(queue));
    this.#underWay.delete(holder);
    // Its next turn comes after those of all who wait now.
    if (queue.length > 0) this.#queues.set(holder, queue);
    this.#commitWaiting();
  }

  #takeGroup(queue: Waiting<Request, Outcome>[]): Waiting<Request, Outcome>[] {
    let weight = 0;
    const tooMany = queue.findIndex((one, index) => {
      weight += one.weight;
      return index > 0 && weight > this.#options.maxGroupWeight;
    });
    const group = queue.splice(0, tooMany === -1 ? queue.length : tooMany);
    for (const one of group) one.leave();
    return group;
  }

  async #commit(holder: string, group: readonly Waiting<Request, Outcome>[]): Promise<void> {
    try {
      const requests = group.map(({ request }) => request);
      const outcomes = await workFor(holder, () => this.#options.commit(requests));
      for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      if (group.length > 1 && !this.#options.meetsAll(error))
        for (const one of group) await this.#commit(holder, [one]);
      else for (const { reject } of group) reject(error);
    }
  }
}
