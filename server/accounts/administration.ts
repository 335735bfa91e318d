import { v7 as uuid } from 'uuid';
import { openSqlite } from '../storage/sqlite.ts';
import { ApiKeys } from './api-keys.ts';
import { loadHashKey } from './hash-key.ts';
import { SecretHasher } from './secrets.ts';
import { ServiceAccounts } from './service-accounts.ts';
import { Workspaces } from './workspaces.ts';
import type { Storage } from '../storage/storage.ts';

/** Where the accounts are kept, and the key under which their secrets are hashed. */
export interface AdministrationConfig {
  database: string;
  hashKey: string | undefined;
}

/** Workspaces, accounts and keys, as the command line and the server use them. */
export interface Administration {
  storage: Storage;
  workspaces: Workspaces;
  accounts: ServiceAccounts;
  keys: ApiKeys;
}

/** What a command may find, and still go on. */
export interface OpenAdministrationOptions {
  /** Whether a database that is not there is made. Defaults to true. */
  create?: boolean;
  /** Whether secrets may be stored under another hash key than ours. Defaults to false. */
  otherHashKey?: boolean;
}

/**
 * Opens the database and what is administered in it. Close its `storage` when done.
 *
 * @throws UserError when the database or the hash key can't be used, or do not belong together
 */
export async function openAdministration(
  { database, hashKey }: AdministrationConfig,
  { create = true, otherHashKey = false }: OpenAdministrationOptions = {},
): Promise<Administration> {
  const storage = await openSqlite(database, { create });
  try {
    const mayMake = otherHashKey || (await isEmpty(storage));
    const hasher = new SecretHasher(loadHashKey({ given: hashKey, databaseFile: database, mayMake }));
    const workspaces = new Workspaces(storage, Date.now, hasher.keyId);
    if (!otherHashKey) await workspaces.requireHashKey();
    const dependencies = { storage, workspaces, hasher, clock: Date.now, newId: uuid };
    return { storage, workspaces, accounts: new ServiceAccounts(dependencies), keys: new ApiKeys(dependencies) };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function isEmpty({ db }: Storage): Promise<boolean> {
  return (await db.selectFrom('workspaces').select('workspace_id').limit(1).executeTakeFirst()) === undefined;
}
