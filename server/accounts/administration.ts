import { v7 as uuid } from 'uuid';
import { type DatabaseLocation, openStorage, type OpenStorageOptions } from '../storage/open.ts';
import { ApiKeys } from './api-keys.ts';
import { loadHashKey, refuseLostDatabase } from './hash-key.ts';
import { SecretHasher } from './secrets.ts';
import { ServiceAccounts } from './service-accounts.ts';
import { Sessions } from './sessions.ts';
import { Workspaces } from './workspaces.ts';
import type { Storage } from '../storage/storage.ts';

/** Where the accounts are kept, and the key under which their secrets are hashed. */
export interface AdministrationConfig extends DatabaseLocation {
  hashKey: string | undefined;
}

/** Workspaces, accounts and keys, as the command line and the server use them. */
export interface Administration {
  storage: Storage;
  /** How secrets are stored. */
  hasher: SecretHasher;
  workspaces: Workspaces;
  accounts: ServiceAccounts;
  keys: ApiKeys;
  sessions: Sessions;
}

/** What a command may find, and still go on. */
export interface OpenAdministrationOptions extends OpenStorageOptions {
  /** Whether secrets may be stored under another hash key than ours. Defaults to false. */
  otherHashKey?: boolean;
}

/**
 * Opens the database and what is administered in it. Close its `storage` when done.
 *
 * @throws UserError when the database or the hash key can't be used, or do not belong together
 */
export async function openAdministration(
  config: AdministrationConfig,
  { otherHashKey = false, ...options }: OpenAdministrationOptions = {},
): Promise<Administration> {
  refuseLostDatabase(config);
  const storage = await openStorage(config, options);
  try {
    const mayMake = otherHashKey || (await isEmpty(storage));
    const hasher = new SecretHasher(loadHashKey(config, mayMake));
    const administration = administrationOf(storage, hasher);
    if (!otherHashKey) await administration.workspaces.requireHashKey();
    return administration;
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * Runs `work` on an administration all of whose writes are one transaction: all of them are made, or none.
 *
 * @param work may run again where another transaction stood in its way
 */
export function inOneTransaction<Result>(
  { storage, hasher }: Administration,
  work: (administration: Administration) => Promise<Result>,
): Promise<Result> {
  return storage.write((tx) =>
    work(administrationOf({ ...storage, db: tx, write: (writeMore) => writeMore(tx) }, hasher)),
  );
}

function administrationOf(storage: Storage, hasher: SecretHasher): Administration {
  const workspaces = new Workspaces(storage, Date.now, hasher.keyId);
  const dependencies = { storage, workspaces, hasher, clock: Date.now, newId: uuid };
  return {
    storage,
    hasher,
    workspaces,
    accounts: new ServiceAccounts(dependencies),
    keys: new ApiKeys(dependencies),
    sessions: new Sessions(dependencies),
  };
}

async function isEmpty({ db }: Storage): Promise<boolean> {
  const living = db.selectFrom('workspaces').select('workspace_id').where('deleted_at', 'is', null).limit(1);
  return (await living.executeTakeFirst()) === undefined;
}
