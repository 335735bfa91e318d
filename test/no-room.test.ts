import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgres } from '../server/storage/postgres/database.ts';
import { openConnection } from '../server/storage/sqlite/connection.ts';
import { startCluster } from '../server/storage/testing/cluster.ts';
import { branchline, type ServerProcess, startProcess } from './support/command-line.ts';
import { printedCredentials } from './support/postgres-server.ts';
import { mountOverlay, mountSmallDisk, shrinkSmallDisk, unmountSmallDisk } from './support/small-disk.ts';

/** A server whose database can't grow, and then can. */

const MEBIBYTE = 1_048_576;

let folder: string;
let server: ServerProcess;
let authorization: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-no-room-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

async function start(place: string): Promise<void> {
  server = await startProcess(join(place, 'branchline.db'), ['--rate-limit', '10000', '--drain-delay', '0']);
  authorization = printedCredentials(server)?.authorization ?? '';
}

let names = 0;

async function create(): Promise<number> {
  const response = await fetch(`${server.origin}/workspaces/demo/branches/v1`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `branch-${(names += 1)}` }),
  });
  return response.status;
}

const ready = async () => (await fetch(`${server.origin}/readyz`)).status;

/** What fits into what is there already is still stored. */
async function createUntilRefused(): Promise<void> {
  let status = await create();
  for (let tries = 0; tries < 2_000 && status === 201; tries += 1) status = await create();
  expect(status).toBe(503);
}

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;

describe.skipIf(!hasPrlimit)(`files that may not grow${hasPrlimit ? '' : ' (needs prlimit)'}`, () => {
  const limitFiles = (bytes: string) =>
    execFileSync('prlimit', ['--pid', String(server.process.pid), `--fsize=${bytes}:`]);

  it('make the server not ready until they may', async () => {
    await start(folder);
    try {
      expect([await create(), await ready()]).toEqual([201, 200]);
      // As `ulimit -f 1024` does.
      limitFiles('1048576');
      await createUntilRefused();
      for (let asked = 0; asked < 3; asked += 1) expect(await ready()).toBe(503);
      expect(await create()).toBe(503);
      limitFiles('unlimited');
      expect([await create(), await ready()]).toEqual([201, 200]);
    } finally {
      await server.stop();
    }
    const reasons = server
      .log()
      .split('\n')
      .filter((line) => line.includes('"not ready"'))
      .map((line) => String(JSON.parse(line).reason));
    expect(reasons).toEqual([expect.stringMatching(/can't grow.* limit on the size of files .*\(disk I\/O error\)/)]);
  });
});

/** @returns how many blocks are left */
function fillDisk(disk: string, filler: string): number {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(bavail * bsize, 1), { flag: 'a' });
  return statfsSync(disk).bavail;
}

describe('a disk that is full', () => {
  it('makes the server not ready until there is room for a request, and then at once', async (context) => {
    const disk = join(folder, 'disk');
    if (!mountSmallDisk(disk, { size: '6m' })) return context.skip('a small file system can not be mounted here');
    try {
      mkdirSync(join(disk, 'data'));
      await start(join(disk, 'data'));
      const filler = join(disk, 'filler');
      const fill = () => fillDisk(disk, filler);
      expect(fill()).toBe(0);
      await createUntilRefused();
      expect(await ready()).toBe(503);

      truncateSync(filler, statSync(filler).size - 4_096);
      expect(await ready()).toBe(503);

      rmSync(filler);
      expect([await create(), await ready()]).toEqual([201, 200]);

      fill();
      await createUntilRefused();
      expect(await ready()).toBe(503);
      rmSync(filler);
      await expect.poll(ready).toBe(200);
    } finally {
      await server.stop();
      unmountSmallDisk(disk);
    }
  });

  it('leaves no beginning of a generated file, and is named', async (context) => {
    const disk = join(folder, 'disk');
    if (!mountSmallDisk(disk, { size: '64k' })) return context.skip('a small file system can not be mounted here');
    try {
      fillDisk(disk, join(disk, 'filler'));
      const generated = await branchline(['generate', 'client', '--spec', 'openapi.yaml', '--out', disk]);
      expect(generated.stderr).toMatch(
        /^branchline: \/\S+\/disk\/\S+ can not be written: the disk is full; make room, or /,
      );
      expect(generated.exitCode).toBe(2);
      const left = readdirSync(disk, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      expect(left.map(({ name }) => name)).toEqual(['filler']);
    } finally {
      unmountSmallDisk(disk);
    }
  });

  it('below an overlay lets nobody write the database, which is said by whoever opens it', async (context) => {
    const shown = join(folder, 'shown');
    const disk = join(folder, 'disk');
    const overlay = join(folder, 'overlay');
    mkdirSync(shown);
    await start(shown);
    await server.stop();
    if (!mountSmallDisk(disk, { size: '64k' })) return context.skip('a small file system can not be mounted here');
    if (!mountOverlay(overlay, shown, disk)) {
      unmountSmallDisk(disk);
      return context.skip('an overlay can not be mounted here');
    }
    const file = join(overlay, 'branchline.db');
    try {
      // As the thread that writes opens it.
      expect(() => openConnection(file)).toThrow(/readonly database/);
      const refused = await branchline(['serve', '--port', '0', '--database', file]);
      expect(refused.stderr).toMatch(
        /^branchline: The database file .* can't be opened: .*readonly database\. .*overlay is full.*\n$/,
      );
      expect(refused.exitCode).toBe(2);
      execFileSync('mount', ['-o', 'remount,size=64m', disk]);
      openConnection(file).close();
      await start(overlay);
      expect([(await fetch(`${server.origin}/livez`)).status, await ready()]).toEqual([200, 200]);
      await server.stop();
    } finally {
      unmountSmallDisk(overlay);
      unmountSmallDisk(disk);
    }
  });

  it('is given back by exports that wait for slow clients, before any write is refused', async (context) => {
    const disk = join(folder, 'disk');
    if (!mountSmallDisk(disk, { size: '1g' })) return context.skip('a small file system can not be mounted here');
    try {
      mkdirSync(join(disk, 'data'));
      await start(join(disk, 'data'));
      insertBranches(join(disk, 'data', 'branchline.db'), 30_000);
      const free = () => statfsSync(disk).bavail * statfsSync(disk).bsize;
      const before = free();
      const exported = await fetch(`${server.origin}/workspaces/demo/branches/export/v1`, {
        headers: { authorization },
      });
      await expect.poll(free).toBeLessThan(before - 16 * MEBIBYTE);
      await expect.poll(() => shrinkSmallDisk(disk)).toBeUndefined();
      expect(free()).toBe(0);

      const isBrokenOff = () => server.log().includes('an export failed');
      for (let tries = 0; tries < 2_000 && !isBrokenOff(); tries += 1) expect(await create()).toBe(201);
      expect(isBrokenOff()).toBe(true);
      expect(server.log()).not.toContain('"stack"');
      expect([await create(), await ready()]).toEqual([201, 200]);
      await expect(exported.text()).rejects.toThrow('terminated');
    } finally {
      await server.stop();
      unmountSmallDisk(disk);
    }
  });

  it('makes the server not ready until PostgreSQL can make room, not only write into pages that it has', async (context) => {
    const cluster = await startCluster();
    const disk = join(cluster.folder, 'disk');
    const isMounted = mountSmallDisk(disk, { size: '24m', owner: 'postgres' });
    try {
      if (!isMounted) return context.skip('a small file system can not be mounted here');
      for (const statement of [
        `create tablespace small location '${disk}'`,
        'create database small tablespace small',
      ]) {
        await queryDatabase(cluster.url, statement);
      }
      const storage = await openPostgres(cluster.url.replace(/postgres$/, 'small'));
      const addWorkspaces = (from: number, count: number) =>
        storage.write((tx) =>
          tx
            .insertInto('workspaces')
            .values(
              Array.from({ length: count }, (_, index) => ({
                workspace_id: `w${from + index}`,
                hash_key_id: 'k'.repeat(1_000),
                created_at: 1,
              })),
            )
            .execute(),
        );
      try {
        await addWorkspaces(0, 1);
        await storage.ping();
        const filler = join(disk, 'filler');
        expect(fillDisk(disk, filler)).toBe(0);
        await expect(addWorkspaces(1, 1_000)).rejects.toMatchObject({ code: '53100' });
        await expect(storage.ping()).rejects.toThrow(/disk is full \(.*No space left on device\)/);
        await storage.write((tx) => tx.deleteFrom('workspaces').execute());
        await expect(storage.ping()).rejects.toThrow(/disk is full/);
        rmSync(filler);
        await expect.poll(() => storage.ping().then(() => 'ready', String), { timeout: 10_000 }).toBe('ready');
        const { rows } = await sql<{
          tables: string;
        }>`select count(*) as tables from pg_class where relname like 'room%'`.execute(storage.db);
        expect(Number(rows[0]?.tables)).toBe(0);
      } finally {
        await storage.close();
      }
    } finally {
      await cluster.crash();
      if (isMounted) unmountSmallDisk(disk);
      rmSync(cluster.folder, { recursive: true });
    }
  });
});

/** Branches of 1 KiB; what is written after them makes the log grow. */
function insertBranches(file: string, count: number): void {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database
    .prepare(
      `insert into branches (
        workspace_id, branch_id, name, status, creator_id, creator_email, created_at, collaborators, sequence
      )
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
      select 'demo', 'old-' || n, printf('%01024d', n), 'Draft', 'creator', 'ci@example.com', 1577836800000 + n, '[]', 1
      from numbers`,
    )
    .run(count);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

async function queryDatabase(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}
