import { randomBytes } from 'node:crypto';
import { type Administration, openAdministration } from '../../../server/accounts/administration.ts';
import { SCOPES, type Scope } from '../../../server/accounts/principals.ts';
import { newDatabase } from '../../../server/storage/testing/databases.ts';
import { type ServerProcess, startProcess } from '../../support/command-line.ts';
import { basic } from '../../support/server.ts';

/** Who a client is. */
export interface Access {
  workspaceId: string;
  /** The `authorization` header of a service account. */
  authorization: string;
  apiKey: string;
}

/** A database of its own, and the server processes that serve from it. */
export interface Installation {
  /** The file of the embedded database. */
  database: string;
  /** Beside the servers, in this process. */
  administration: Administration;
  /** Has all scopes. */
  access: Access;
  /** Says where it is to commands that are run on it. */
  env: Record<string, string>;
  /** Starts a server whose rate limits no proof meets. */
  start: (args?: readonly string[], env?: Record<string, string>) => Promise<ServerProcess>;
  /** Kills the servers that still run, and deletes the database. */
  remove: () => Promise<void>;
}

export const WORKSPACE = 'shop';

const UNLIMITED = ['--rate-limit', '10000', '--ingest-rate-limit', '100000', '--log-level', 'warn'];

export async function install(): Promise<Installation> {
  // Nothing else is sent than by other tests, only far more of it.
  const { location, remove } = await newDatabase({ empty: true, logged: false });
  const { database, databaseUrl } = location;
  const hashKey = randomBytes(32).toString('hex');
  const administration = await openAdministration({ ...location, hashKey }, { statementMs: 120_000 });
  await administration.workspaces.create(WORKSPACE);
  const { text: apiKey } = await administration.keys.create({
    workspaceId: WORKSPACE,
    source: 'android-shop',
    samplingRate: 1,
  });
  const servers: ServerProcess[] = [];
  return {
    database,
    administration,
    access: { workspaceId: WORKSPACE, authorization: await newAuthorization(administration), apiKey },
    env: {
      BRANCHLINE_DATABASE: database,
      BRANCHLINE_HASH_KEY: hashKey,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    },
    async start(args = [], env = {}) {
      const engine = databaseUrl === undefined ? [] : ['--database-url', databaseUrl];
      const server = await startProcess(database, [...engine, '--hash-key', hashKey, ...UNLIMITED, ...args], env);
      servers.push(server);
      return server;
    },
    async remove() {
      for (const server of servers) await server.stop('SIGKILL');
      await administration.storage.close();
      await remove();
    },
  };
}

interface NewAccount {
  /** Defaults to all. */
  scopes?: readonly Scope[];
  email?: string;
  /** Requests per second past which 429 is answered. Defaults to a limit that is only told. */
  hardLimit?: number;
}

/** The `authorization` header of a new service account. */
export async function newAuthorization(
  { accounts }: Administration,
  { scopes = SCOPES, email = 'ci@example.com', hardLimit }: NewAccount = {},
): Promise<string> {
  const { account, secret } = await accounts.create({
    workspaceId: WORKSPACE,
    label: 'proof',
    email,
    scopes,
    ratePerSecond: hardLimit ?? null,
    rateEnforcement: hardLimit === undefined ? null : 'hard',
  });
  return basic({ name: account.name, secret });
}
