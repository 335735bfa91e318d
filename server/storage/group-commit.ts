import { FairOrder, FairShare, type GiveBack } from '@branchline/runtime';
import { workFor, workHolding } from './holder.ts';

/** Calls back once, after the given milliseconds. */
export type Timer = (callback: () => void, milliseconds: number) => unknown;

export interface GroupCommitOptions<Request, Outcome> {
  /**
   * Makes all of the requests, which have one holder, durable, or throws without having done anything.
   *
   * @returns the outcome of each, in the same order
   */
  commit: (requests: readonly Request[]) => Promise<readonly Outcome[]>;
  /** The holder of the request (a workspace): a group has the requests of one. */
  holderOf: (request: Request) => string;
  /** A request's share of the bounds. */
  weigh: (request: Request) => number;
  /** Whether an error would affect every request alike, so that retrying them one by one is pointless. */
  meetsAll: (error: unknown) => boolean;
  /** How long the first request of a group waits for others. */
  delayMs: number;
  /** The maximum weight of a group; a group that has reached it stops waiting. */
  maxGroupWeight: number;
  /** Above this weight of waiting requests, further ones are refused; holders share it. */
  maxWaitingWeight: number;
  /** Waited for after each group of a holder, before its next one begins; left out: nothing is. */
  rest?: ((holder: string) => Promise<void>) | undefined;
  /** The number of groups, each of another holder, that are committed concurrently. */
  concurrency: number;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  timer: Timer;
}

/** The request was refused and nothing was done; it can be retried. */
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
 * Commits requests that arrive close together in one transaction, since its cost is mostly that of the transaction.
 *
 * Invariants:
 * - Each holder has at most one group in progress, and its requests are committed in the order they arrived.
 * - The holder whose groups have taken the least time among those that wait comes first, where several have taken as little one after
 *   the other: so one with little to store waits for one group of the others, however many those are.
 * - A request is answered only after its transaction was committed, or after it failed in a transaction of its own.
 *   If a group fails, each of its requests is retried alone, so that only invalid requests fail.
 * - Whenever requests wait, a timer is set or the maximum number of groups is in progress (or one per holder), and the end of
 *   each starts the next; so no request waits forever.
 * - At most `maxWaitingWeight` waits, besides the groups in progress.
 */
export class GroupCommit<Request, Outcome> {
  readonly #options: GroupCommitOptions<Request, Outcome>;
  /** The waiting requests by holder, in the order of turns; holders with a group in progress are in the other map. */
  readonly #queues = new Map<string, Waiting<Request, Outcome>[]>();
  readonly #underWay = new Map<string, Waiting<Request, Outcome>[]>();
  readonly #room: FairShare;
  /** By the time for which groups are in progress. */
  readonly #order = new FairOrder();
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
   * @throws NotTaken if too much is already waiting, or after {@link close}
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

  /** Makes requests stop waiting for others to be committed with. */
  hurry(): void {
    this.#hurried = true;
    this.#commitWaiting();
  }

  /** Accepts no more requests, and resolves when all accepted ones are answered. */
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

  /** Starts as many groups as allowed. Requests that arrived during a commit start at once: they have waited long enough. */
  #commitWaiting(): void {
    while (this.#underWay.size < this.#options.concurrency) {
      const holder = this.#order.first(this.#queues.keys());
      const queue = holder === undefined ? undefined : this.#queues.get(holder);
      if (holder === undefined || queue === undefined) break;
      this.#queues.delete(holder);
      this.#underWay.set(holder, queue);
      void this.#commitNext(holder, queue);
    }
    if (this.#underWay.size === 0) this.#closed?.resolve();
  }

  async #commitNext(holder: string, queue: Waiting<Request, Outcome>[]): Promise<void> {
    const { now, rest } = this.#options;
    const use = this.#order.begin(holder, now());
    await this.#commit(holder, this.#takeGroup(queue));
    this.#order.end(use, now(), queue.length > 0 || this.#queues.size > 0);
    if (rest !== undefined && !this.#hurried && this.#closed === undefined) await rest(holder);
    this.#underWay.delete(holder);
    // Behind all holders that are waiting now and have taken as little.
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
      const outcomes = await workFor(holder, () => workHolding(() => this.#options.commit(requests)));
      for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      if (group.length > 1 && !this.#options.meetsAll(error))
        for (const one of group) await this.#commit(holder, [one]);
      else for (const { reject } of group) reject(error);
    }
  }
}
