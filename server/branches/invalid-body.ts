import { resolveActingAccount } from '../accounts/acting-account.ts';
import type { Authenticated } from '../accounts/principals.ts';
import type { InvalidBodyHandlers } from '../generated/handlers.ts';
import type { Storage } from '../storage/storage.ts';
import { branchStore } from './store.ts';
import { suggestName } from './suggest.ts';

export interface InvalidBodyDependencies {
  storage: Storage;
  /** From 0 to below 1. */
  random: () => number;
}

/**
 * "Branch Management HTTP API, Errors": Create Branch answers invalid characters, an empty name and a malformed body
 * with the same error, which suggests a name.
 */
export function branchInvalidBody({
  storage,
  random,
}: InvalidBodyDependencies): Pick<InvalidBodyHandlers<Authenticated>, 'createBranch'> {
  const store = branchStore(storage);
  return {
    async createBranch({ body, principals }) {
      const suggested = await suggestName(askedName(body), {
        namesTaken: (names) => store.namesTaken(resolveActingAccount(principals).workspaceId, names),
        random,
      });
      return { status: 400, body: { error: `Invalid branch name, try "${suggested}" instead` } };
    },
  };
}

function askedName(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'name' in body ? body.name : undefined;
}
