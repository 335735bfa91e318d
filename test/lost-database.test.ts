import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { branchline, type ServerProcess, startProcess } from './support/command-line.ts';
import { printedCredentials } from './support/postgres-server.ts';

/** A server whose database file goes away under it. */

let folder: string;
let database: string;
let server: ServerProcess;
let authorization: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-lost-'));
  database = join(folder, 'branchline.db');
  server = await startProcess(database, ['--rate-limit', '10000', '--drain-delay', '1']);
  authorization = printedCredentials(server)?.authorization ?? '';
});

afterEach(async () => {
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

let names = 0;

/** @returns the status; undefined where nobody answers any more */
async function create(name = `branch-${(names += 1)}`): Promise<number | undefined> {
  try {
    const response = await fetch(`${server.origin}/workspaces/demo/branches/v1`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    return response.status;
  } catch {
    return undefined;
  }
}

/** What clients are answered that go on until nobody answers any more. */
async function createUntilTheEnd(): Promise<number[]> {
  const statuses: number[] = [];
  const client = async () => {
    for (let status = await create(); status !== undefined; status = await create()) statuses.push(status);
  };
  await Promise.all(Array.from({ length: 4 }, client));
  return statuses;
}

const fatal = () =>
  server
    .log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line): { level: number; msg: string } => JSON.parse(line))
    .filter(({ level }) => level === 60)
    .map(({ msg }) => msg);

describe.each([
  [
    'removed',
    () => rmSync(database),
    /The database file .*branchline\.db was removed or renamed while it was in use\./,
  ],
  ['robbed of its log', () => rmSync(`${database}-wal`), /branchline\.db-wal was removed or replaced/],
  ['robbed of what is in its log', () => truncateSync(`${database}-wal`), /branchline\.db-wal was emptied/],
])('a database that is %s', (_what, lose, sentence) => {
  it('is answered with no 201, and ends the server with one sentence and exit code 1', async () => {
    expect(await create()).toBe(201);
    lose();
    const statuses = await createUntilTheEnd();
    expect(statuses.length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(await server.ended).toBe(1);
    expect(fatal()).toEqual([expect.stringMatching(sentence)]);
  });
});

it('a server that nobody asks anything notices it too', async () => {
  rmSync(database);
  expect(await server.ended).toBe(1);
  expect(fatal()).toEqual([expect.stringContaining('was removed or renamed')]);
});

it('what was answered before the log was removed is there after the next start', async () => {
  expect(await create('survivor')).toBe(201);
  rmSync(`${database}-wal`);
  await server.ended;
  server = await startProcess(database);
  const csv = await fetch(`${server.origin}/workspaces/demo/branches/export/v1`, { headers: { authorization } });
  expect(await csv.text()).toContain('survivor,');
});

it.each([
  ['robbed of what is in its log, and goes on being written to', () => truncateSync(`${database}-wal`)],
  ['whose log is cut short', () => truncateSync(`${database}-wal`, statSync(`${database}-wal`).size - 1_000)],
])('a database that is %s keeps what was in its file before', async (_what, lose) => {
  for (let index = 0; index < 20; index += 1) expect(await create(`old-${index}`)).toBe(201);
  await server.stop();
  server = await startProcess(database, ['--rate-limit', '10000']);
  expect(await create('new')).toBe(201);
  lose();
  await createUntilTheEnd();
  expect(await server.ended).toBe(1);
  using file = new DatabaseSync(database);
  expect(file.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  const old = file.prepare("select count(*) as count from branches where name like 'old-%'").get();
  expect(old).toEqual({ count: 20 });
});

it.each([
  ['emptied', () => truncateSync(database)],
  ['cut short', () => truncateSync(database, statSync(database).size - 10_000)],
])('what was answered before the database file was %s is there once the file is back as it was', async (_how, lose) => {
  await server.stop();
  server = await startProcess(database);
  expect(await create('survivor')).toBe(201);
  const copy = join(folder, 'copy.db');
  // With its times, which the log goes by.
  execFileSync('cp', ['-p', database, copy]);
  lose();
  expect(await server.ended).toBe(1);
  expect(fatal()).toEqual([expect.stringContaining(`${database}-wal.lost`)]);
  const refused = await branchline(['workspace', 'list'], { BRANCHLINE_DATABASE: database });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/-wal\.lost|There is no database/) });
  renameSync(copy, database);
  server = await startProcess(database);
  expect(await exported()).toContain('survivor,');
});

const exported = async () =>
  (await fetch(`${server.origin}/workspaces/demo/branches/export/v1`, { headers: { authorization } })).text();

it('what was answered before the database was moved away is there once it is back, which the log says', async () => {
  expect(await create('survivor')).toBe(201);
  renameSync(database, join(folder, 'moved.db'));
  expect(await server.ended).toBe(1);
  expect(fatal()).toEqual([expect.stringContaining(`${database}-wal.lost`)]);
  const refused = await branchline(['workspace', 'list'], { BRANCHLINE_DATABASE: database });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^branchline: There is no database/) });
  renameSync(join(folder, 'moved.db'), database);
  server = await startProcess(database);
  expect(await exported()).toContain('survivor,');
  expect(server.log()).toContain(`${database}-wal.lost was put back`);
  expect(existsSync(`${database}-wal.lost`)).toBe(false);
});

it('another database in its place is not opened until the log of the one before is moved away', async () => {
  expect(await create('elsewhere')).toBe(201);
  renameSync(database, join(folder, 'moved.db'));
  await server.ended;
  copyFileSync(join(folder, 'moved.db'), database);
  utimesSync(database, 1, 1);
  const list = () => branchline(['workspace', 'list'], { BRANCHLINE_DATABASE: database });
  const refused = await list();
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toMatch(
    /^branchline: The file .*-wal\.lost holds what was stored last .* move .* to another folder\.\n$/,
  );
  renameSync(`${database}-wal.lost`, join(folder, 'elsewhere.lost'));
  expect((await list()).stderr).not.toContain('.lost');
});

it('commands beside a server take nothing from it', async () => {
  await branchline(['workspace', 'create', 'shop'], { BRANCHLINE_DATABASE: database });
  await branchline(['workspace', 'list'], { BRANCHLINE_DATABASE: database });
  expect(await create()).toBe(201);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
});

it('a damaged table ends a command with a sentence, not with a stack', async () => {
  await server.stop();
  const file = new DatabaseSync(database);
  const page = (name: string) =>
    Number(file.prepare('select rootpage from sqlite_schema where name = ?').get(name)?.['rootpage']);
  const pages = [page('workspaces'), page('workspaces_pk'), page('sqlite_autoindex_workspaces_1')].filter(
    (root) => root > 0,
  );
  file.close();
  const descriptor = openSync(database, 'r+');
  for (const root of pages) writeSync(descriptor, Buffer.alloc(4_096, 0xa5), 0, 4_096, (root - 1) * 4_096);
  closeSync(descriptor);
  for (const command of [
    ['workspace', 'list'],
    ['user', 'list', '--workspace', 'demo'],
    ['serve', '--port', '0'],
  ]) {
    const { exitCode, stderr } = await branchline(command, { BRANCHLINE_DATABASE: database });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^branchline: The database file .*branchline\.db is damaged \(.*\)\. Stop the server, .* else restore it from your backup\.\n$/,
    );
  }
});

it('a damaged database makes the server not ready, which is logged once, with what to do', async () => {
  const other = new DatabaseSync(database);
  other.exec('pragma wal_checkpoint(truncate)');
  other.close();
  writeFileSync(database, Buffer.alloc(64 * 1_024, 0xa5), { flag: 'r+' });
  for (let asked = 0; asked < 3; asked += 1) {
    const response = await fetch(`${server.origin}/readyz`);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 503,
      body: { error: 'The database does not answer, or takes no writes.' },
    });
  }
  await server.stop();
  const logged = server.log().match(/"reason":"[^"]*"/g);
  expect(logged).toEqual([expect.stringMatching(/branchline\.db is damaged .* restore it from your backup/)]);
});
