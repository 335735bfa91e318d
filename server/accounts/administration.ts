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

/** Opens the database and what is administered in it. Close its `storage` when done. */
export async function openAdministration({ database, hashKey }: AdministrationConfig): Promise<Administration> {
  const hasher = new SecretHasher(loadHashKey(hashKey, database));
  const storage = await openSqlite(database);
  const workspaces = new Workspaces(storage, Date.now);
  const dependencies = { storage, workspaces, hasher, clock: Date.now, newId: uuid };
  return { storage, workspaces, accounts: new ServiceAccounts(dependencies), keys: new ApiKeys(dependencies) };
}
