import { v7 as uuid } from 'uuid';
import type { Clock } from '../clock.ts';
import { openStorage, type OpenStorageOptions } from '../storage/open.ts';
import { wholePaths } from '../whole-paths.ts';
import { tellIfLong } from '../storage/tell-if-long.ts';
import { waitForDisk } from '../storage/sqlite/disk-answer.ts';
import { refuseLostDatabase } from '../storage/sqlite/lost-database.ts';
import type { Storage } from '../storage/storage.ts';
import { ApiKeys } from './api-keys.ts';
import { type HashKeySource, loadHashKey, readGivenHashKey } from './hash-key.ts';
import { SecretHasher } from './secrets.ts';
import { ServiceAccounts } from './service-accounts.ts';
import { Sessions } from './sessions.ts';
import { SignInLinks } from './sign-in-links.ts';
import { Users } from './users.ts';
import { hasWorkspaces, requireWorkspace, Workspaces } from './workspaces.ts';

/** Where the accounts are kept, and the key under which their secrets are hashed. */
export type AdministrationConfig = HashKeySource;

/** Workspaces, accounts, keys and people, as the command line and the server use them. */
export interface Administration {
  storage: Storage;
  /** How secrets are stored. */
  hasher: SecretHasher;
  workspaces: Workspaces;
  accounts: ServiceAccounts;
  keys: ApiKeys;
  sessions: Sessions;
  links: SignInLinks;
  users: Users;
  /** The time that all of them go by. */
  clock: Clock;
}

/** What a command may find, and still go on. */
export interface OpenAdministrationOptions extends OpenStorageOptions {
  /** The workspace that is moved to our hash key: secrets may then be stored under another one. */
  rekeying?: string | undefined;
  /** Defaults to the time of this machine. */
  clock?: Clock;
}

/**
 * Opens the database and what is administered in it. Close its `storage` when done.
 *
 * @throws UserError when the database or the hash key can't be used, or do not belong together, or there is no workspace to move
 */
export async function openAdministration(
  settings: AdministrationConfig,
  { rekeying, clock = Date.now, ...options }: OpenAdministrationOptions = {},
): Promise<Administration> {
  const config = wholePaths(settings);
  if (config.databaseUrl === undefined) {
    await waitForDisk(config.database, options.onWait);
    refuseLostDatabase(config.database);
  }
  // Before the database is migrated, for good, by a start that can't go on.
  const given = await readGivenHashKey(config);
  const storage = await openStorage(config, options);
  try {
    return await tellIfLong(
      () =>
        options.onWait?.(
          'waiting for the database to say which workspaces it has: another session may have locked them',
        ),
      () => administer(storage, config, { given, rekeying, clock }),
    );
  } catch (error) {
    await storage.undo();
    throw error;
  }
}

async function administer(
  storage: Storage,
  config: AdministrationConfig,
  { given, rekeying, clock }: { given: Uint8Array | undefined; rekeying: string | undefined; clock: Clock },
): Promise<Administration> {
  // Before a key is made for it.
  if (rekeying !== undefined) await requireWorkspace(storage, rekeying);
  const mayMake = rekeying !== undefined || !(await hasWorkspaces(storage));
  const hasher = new SecretHasher(given ?? (await loadHashKey(config.database, mayMake)));
  const administration = buildAdministration(storage, hasher, clock);
  if (rekeying === undefined) await administration.workspaces.requireHashKey();
  return administration;
}

/**
 * Runs `work` on an administration all of whose writes are one transaction: all of them are made, or none.
 *
 * @param work may run again where another transaction stood in its way
 */
export function inOneTransaction<Result>(
  { storage, hasher, clock }: Administration,
  work: (administration: Administration) => Promise<Result>,
): Promise<Result> {
  return storage.write((tx) =>
    work(buildAdministration({ ...storage, db: tx, write: (writeMore) => writeMore(tx) }, hasher, clock)),
  );
}

function buildAdministration(storage: Storage, hasher: SecretHasher, clock: Clock): Administration {
  const workspaces = new Workspaces(storage, clock, hasher.keyId);
  const dependencies = { storage, workspaces, hasher, clock, newId: uuid };
  const sessions = new Sessions(dependencies);
  const links = new SignInLinks(dependencies);
  return {
    storage,
    hasher,
    clock,
    workspaces,
    accounts: new ServiceAccounts(dependencies),
    keys: new ApiKeys(dependencies),
    sessions,
    links,
    users: new Users({ ...dependencies, sessions, links }),
  };
}
