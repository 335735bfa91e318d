import { AsyncLocalStorage } from 'node:async_hooks';

interface Work {
  holder: string;
  isWanted: () => boolean;
  isHolding?: boolean;
}

/** Those of whom it is not known yet whether they have any right to be served. */
const STRANGERS = '#strangers';

/** Whose credential is not known to be right, and who signs in: neither holds up the other. */
export const UNKNOWN = `${STRANGERS} with credentials`;
export const SIGNING_IN = `${STRANGERS} signing in`;

export function isStranger(holder: string): boolean {
  return holder.startsWith(STRANGERS);
}

const works = new AsyncLocalStorage<Work>();

/** Nobody waits any more for the work under way: its client has gone. */
export class NotWanted extends Error {
  override readonly name = 'NotWanted';
}

/**
 * Does work that counts for a holder (a workspace), and with it all that follows from it. Holders share connections and writers.
 *
 * @param isWanted whether somebody still waits for what it finds; left out: it is done in any case
 */
export function workFor<Result>(holder: string, work: () => Result, isWanted: () => boolean = () => true): Result {
  return works.run({ holder, isWanted }, work);
}

/**
 * Does work that holds something others wait for (a reading place, a snapshot, the bodies of a group). Where it waits for a
 * connection or a writer, it takes turns with all else of its holder, however much that is.
 */
export function workHolding<Result>(work: () => Result): Result {
  return works.run({ holder: '', isWanted: () => true, ...works.getStore(), isHolding: true }, work);
}

/** The shares within a holder that take turns: of what holds something, and of all else. */
export function presentParts(): readonly string[] {
  return [works.getStore()?.isHolding === true ? 'holding' : 'asking'];
}

/** Whom the work under way counts for; `''` before that is known. */
export function presentHolder(): string {
  return works.getStore()?.holder ?? '';
}

/** Tells whether the work that is under way now is wanted, to be asked later, when other work is. */
export function presentWish(): () => boolean {
  return works.getStore()?.isWanted ?? (() => true);
}

/**
 * Ends work whose client has gone. To be called before each piece of it that costs something, but for those that change what is
 * stored.
 *
 * @throws NotWanted
 */
export function requireWanted(): void {
  if (works.getStore()?.isWanted() === false) throw new NotWanted('The client has gone.');
}
