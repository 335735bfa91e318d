import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { openStorage } from '../../server/storage/open.ts';
import type { Storage } from '../../server/storage/storage.ts';
import { newDatabase, type TestDatabase } from '../../server/storage/testing/databases.ts';

/** Two processes that would both work on one task of the maintenance. */

const COMPETITOR = fileURLToPath(new URL('../../server/maintenance/testing/competitor.ts', import.meta.url));

let database: TestDatabase;
let storage: Storage;
let processes: ChildProcess[];

beforeEach(async () => {
  database = await newDatabase();
  storage = await openStorage(database.location);
  await sql`create table steps (pid integer, began timestamptz, ended timestamptz)`.execute(storage.db);
  processes = Array.from({ length: 2 }, () => fork(COMPETITOR, [JSON.stringify(database.location)]));
});

afterEach(async () => {
  for (const one of processes) one.kill('SIGKILL');
  await storage.close();
  await database.remove();
});

interface Step {
  pid: number;
  began: Date;
  ended: Date;
}

const steps = async (): Promise<Step[]> =>
  (await sql<Step>`select * from steps order by began`.execute(ofTest(storage).db)).rows;

it('its steps never overlap, and when the one that works is killed, the other goes on once the lease ends', async () => {
  await expect.poll(async () => (await steps()).length).toBeGreaterThan(50);
  const before = await steps();
  const [holder, ...others] = [...new Set(before.map(({ pid }) => pid))];
  expect(others).toEqual([]);

  const heir = processes.find(({ pid }) => pid !== holder);
  processes.find(({ pid }) => pid === holder)?.kill('SIGKILL');
  let refused = 0;
  heir?.on('message', (outcome) => (refused += outcome === 'refused' ? 1 : 0));
  await expect.poll(() => refused).toBeGreaterThan(20);
  const endLease = sql<{ at: Date }>`update maintenance set leased_until = 0 returning clock_timestamp() as at`;
  const [lease] = (await endLease.execute(ofTest(storage).db)).rows;
  await expect.poll(async () => (await steps()).filter(({ pid }) => pid !== holder).length).toBeGreaterThan(20);

  const all = await steps();
  const first = all.find(({ pid }) => pid !== holder);
  expect(Number(first?.began)).toBeGreaterThanOrEqual(Number(lease?.at));
  for (const [index, { began }] of all.entries()) {
    const previous = all[index - 1];
    if (previous !== undefined) expect(Number(began)).toBeGreaterThanOrEqual(Number(previous.ended));
  }
});
