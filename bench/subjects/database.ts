import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAdministration } from '../../server/accounts/administration.ts';
import { SCOPES } from '../../server/accounts/principals.ts';
import { SOURCE, WORKSPACE } from './place.ts';

/** What a client of a database with one workspace needs. */
export interface BenchClient {
  folder: string;
  hashKey: string;
  /** What a service account sends. */
  accountHeaders: Record<string, string>;
  /** What an app sends. */
  keyHeaders: Record<string, string>;
}

/** A migrated SQLite database in a folder of its own. */
export interface BenchDatabase extends BenchClient {
  file: string;
  remove: () => void;
}

export async function makeDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'branchline-bench-'));
  const file = join(folder, 'branchline.db');
  const client = await makeClient({ folder, database: file, databaseUrl: undefined });
  return { ...client, file, remove: () => rmSync(folder, { recursive: true }) };
}

/** Migrates a database, and makes the workspace, an account and a key in it. */
export async function makeClient({
  folder,
  ...location
}: {
  folder: string;
  database: string;
  databaseUrl: string | undefined;
}): Promise<BenchClient> {
  const hashKey = randomBytes(32).toString('hex');
  const { storage, workspaces, accounts, keys } = await openAdministration({ ...location, hashKey });
  await workspaces.create(WORKSPACE);
  const { account, secret } = await accounts.create({
    workspaceId: WORKSPACE,
    label: 'bench',
    email: 'ci@example.com',
    scopes: SCOPES,
    ratePerSecond: null,
    rateEnforcement: null,
  });
  const { text } = await keys.create({ workspaceId: WORKSPACE, source: SOURCE, samplingRate: 1 });
  await storage.close();
  const json = { 'content-type': 'application/json' };
  return {
    folder,
    hashKey,
    accountHeaders: { ...json, authorization: `Basic ${Buffer.from(`${account.name}:${secret}`).toString('base64')}` },
    keyHeaders: { ...json, 'api-key': text },
  };
}
