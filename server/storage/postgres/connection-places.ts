import { FairShare, type GiveBack } from '@branchline/runtime';
import { isStranger, presentHolder, presentParts } from '../holder.ts';

/** More than there can be requests: how long they wait is what bounds them. */
const MOST_WAITING = 1_000_000;

/** One part in so many of the connections is for strangers. What they ask costs little, and there can be any number of them. */
const STRANGERS_PART = 3;

/** Only a tenth is kept for others: a connection is given back at the end of a statement or transaction. */
const KEPT_PART = 10;

/** Shares out the connections of a pool: holders take turns, and strangers together have some of the connections only. */
export class ConnectionPlaces {
  readonly #all: FairShare;
  readonly #ofStrangers: FairShare;

  /** @param size how many connections there are */
  constructor(size: number) {
    this.#all = share(size);
    this.#ofStrangers = share(Math.max(1, Math.floor(size / STRANGERS_PART)));
  }

  /** A place for the work under way; undefined when there is none within so many milliseconds. */
  async take(waitMs: number): Promise<GiveBack | undefined> {
    const holder = presentHolder();
    if (!isStranger(holder)) return this.#all.take(holder, { waitMs, parts: presentParts() });
    const leaveStrangers = await this.#ofStrangers.take(holder, { waitMs });
    if (leaveStrangers === undefined) return undefined;
    const leave = await this.#all.take(holder, { waitMs });
    if (leave === undefined) leaveStrangers();
    return leave && (() => [leave, leaveStrangers].forEach((giveBack) => giveBack()));
  }
}

function share(total: number): FairShare {
  return new FairShare({ total, kept: Math.max(1, Math.floor(total / KEPT_PART)), mostWaiting: MOST_WAITING });
}
