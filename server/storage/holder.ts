import { AsyncLocalStorage } from 'node:async_hooks';

const holders = new AsyncLocalStorage<string>();

/** Does work that counts for a holder (a workspace), and with it all that follows from it. Holders share connections and writers. */
export function workFor<Result>(holder: string, work: () => Result): Result {
  return holders.run(holder, work);
}

/** Whom the work under way counts for; `''` before that is known. */
export function presentHolder(): string {
  return holders.getStore() ?? '';
}
