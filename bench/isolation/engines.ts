import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startCluster } from '../../server/storage/testing/cluster.ts';
import { cpuSecondsWithChildren } from '../process-figures.ts';

export interface Engine {
  name: string;
  newDatabase: () => Promise<Database>;
  remove: () => Promise<void>;
}

/** An empty database, which is migrated by whoever uses it first. */
export interface Database {
  /** By which the command line finds it. */
  flags: string[];
  /** For the log of a server. */
  folder: string;
  bytes: () => Promise<number>;
  /** Of the write-ahead log; undefined where it is not the database's own. */
  logBytes: () => number | undefined;
  /** Processor time of the engine's own processes; undefined where it runs within the server. */
  cpuSeconds: () => number | undefined;
  remove: () => Promise<void>;
}

export async function startSqlite(): Promise<Engine> {
  return { name: 'SQLite', newDatabase: async () => newFile(), remove: async () => {} };
}

function newFile(): Database {
  const folder = newFolder();
  const file = join(folder, 'branchline.db');
  return {
    flags: ['--database', file],
    folder,
    bytes: async () => sizeOf(file) + sizeOf(`${file}-wal`),
    logBytes: () => sizeOf(`${file}-wal`),
    cpuSeconds: () => undefined,
    remove: async () => rmSync(folder, { recursive: true }),
  };
}

/** With all its settings as they are by default. */
export async function startPostgres(): Promise<Engine> {
  const cluster = await startCluster({ durable: true, settings: { shared_buffers: '128MB' } });
  const [pid] = readFileSync(join(cluster.folder, 'data/postmaster.pid'), 'utf8').split('\n').map(Number);
  let made = 0;
  return {
    name: 'PostgreSQL',
    async newDatabase() {
      const name = `isolation_${(made += 1)}`;
      await query(cluster.url, `create database ${name}`);
      const folder = newFolder();
      const url = cluster.url.replace(/\/postgres$/, `/${name}`);
      return {
        flags: ['--database-url', url],
        folder,
        bytes: async () => Number(await query(url, 'select pg_database_size(current_database())')),
        logBytes: () => undefined,
        cpuSeconds: () => cpuSecondsWithChildren(pid ?? 0),
        async remove() {
          await query(cluster.url, `drop database ${name} with (force)`);
          rmSync(folder, { recursive: true });
        },
      };
    },
    remove: cluster.remove,
  };
}

/** @returns the first value */
async function query(connectionString: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  await client.end();
  return rows[0]?.[0];
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'branchline-bench-'));
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
