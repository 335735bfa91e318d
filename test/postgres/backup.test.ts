import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../server/storage/testing/free-port.ts';
import { administer } from '../../server/storage/testing/databases.ts';
import { type ServerProcess, startProcess } from '../support/command-line.ts';
import { installOn, type PrintedCredentials, printedCredentials } from '../support/postgres-server.ts';

/** The commands of docs/operating.md, "Backup and restore", as an operator runs them. */

const OPERATING = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-backup-'));
  return () => rmSync(folder, { recursive: true, force: true });
});

/** The line of the docs that begins like this. */
function documented(beginning: string): string {
  const line = OPERATING.split('\n').find((one) => one.startsWith(beginning));
  if (line === undefined) throw new Error(`docs/operating.md has no line that begins with "${beginning}".`);
  return line;
}

const shell = (command: string, env: Record<string, string> = {}) =>
  execFileSync('sh', ['-c', command], { cwd: folder, env: { ...process.env, ...env }, stdio: 'pipe' });

const request = (server: ServerProcess, credentials: PrintedCredentials | undefined, init: RequestInit = {}) =>
  fetch(`${server.origin}/workspaces/demo/branches/v1`, {
    ...init,
    headers: { authorization: credentials?.authorization ?? '', 'content-type': 'application/json' },
  });

const create = async (server: ServerProcess, credentials: PrintedCredentials | undefined, name: string) =>
  expect((await request(server, credentials, { method: 'POST', body: JSON.stringify({ name }) })).status).toBe(201);

async function namesOf(server: ServerProcess, credentials: PrintedCredentials | undefined): Promise<string[]> {
  const response = await request(server, credentials);
  expect(response.status).toBe(200);
  const { branches } = (await response.json()) as { branches: { branchName: string }[] };
  return branches.map(({ branchName }) => branchName);
}

it('the embedded database is backed up while the server runs, and restored with its accounts', async () => {
  const database = join(folder, 'data', 'branchline.db');
  const server = await startProcess(database, ['--drain-delay', '0']);
  const credentials = printedCredentials(server);
  await create(server, credentials, 'before');
  const command = documented('npx node -e').replace('npx node', `"${process.execPath}"`);
  const steps = `((from, to, options) => backup(from, to, { ...options, progress: () => console.log('not all yet') }))(new `;
  // Whatever is written between two steps would begin the copy again, so under a steady load it would never end.
  expect(shell(command.replace('backup(new ', steps)).toString()).toBe('');
  shell(documented('cp data/branchline.db.key'));
  await create(server, credentials, 'after');
  await server.stop();

  for (const beginning of ['rm -f data/', 'cp backup.db data/', 'cp backup.db.key data/']) shell(documented(beginning));
  const restored = await startProcess(database, ['--drain-delay', '0']);
  expect(await namesOf(restored, credentials)).toEqual(['before']);
  await restored.stop();
});

it('no documented backup copies in steps', () => {
  const commands = OPERATING.match(/backup\(new .*/g) ?? [];
  expect(commands).toHaveLength(2);
  for (const command of commands) expect(command).toContain('{ rate: 2 ** 30 }');
});

/** PostgreSQL as the system has it, with its tools; the one that other tests start comes without them. */
const TOOLS = globSync('/usr/lib/postgresql/*/bin/pg_dump').map(dirname).toSorted().at(-1);
const title = `PostgreSQL${TOOLS === undefined ? ' (skipped: pg_dump is not installed)' : ''}`;

describe.skipIf(TOOLS === undefined)(title, () => {
  const tools = TOOLS ?? '';
  let data: string;
  let url: string;
  let postgres: ChildProcess;

  beforeAll(async () => {
    const port = await freePort();
    data = mkdtempSync(join(tmpdir(), 'branchline-system-postgres-'));
    const as = userOf(data);
    execFileSync(join(tools, 'initdb'), ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '-A', 'trust'], {
      ...as,
      stdio: 'ignore',
    });
    const settings = ['unix_socket_directories=', `port=${port}`, 'fsync=off'].flatMap((one) => ['-c', one]);
    postgres = spawn(join(tools, 'postgres'), ['-D', data, ...settings], { ...as, stdio: 'ignore' });
    url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    await vi.waitFor(() => administer(url, 'create database restored'), { timeout: 60_000 });
  });

  afterAll(async () => {
    postgres.kill('SIGINT');
    await once(postgres, 'exit');
    rmSync(data, { recursive: true });
  });

  it('is backed up while the server runs, and restored with its accounts', async () => {
    const installation = installOn({ database: '/nowhere', databaseUrl: url });
    const server = await installation.start();
    const credentials = printedCredentials(server);
    await create(server, credentials, 'before');
    const path = `${tools}:${process.env['PATH']}`;
    shell(documented('pg_dump'), { DATABASE_URL: url, PATH: path });
    await create(server, credentials, 'after');
    await server.stop();

    const restoredUrl = url.replace(/postgres$/, 'restored');
    shell(documented('pg_restore'), { DATABASE_URL: restoredUrl, PATH: path });
    const restored = await installation.start([], restoredUrl);
    expect(printedCredentials(restored)).toBeUndefined();
    expect(await namesOf(restored, credentials)).toEqual(['before']);
    await restored.stop();
  });
});

/** PostgreSQL refuses to run as root. */
function userOf(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const [uid, gid] = [id('-u'), id('-g')];
  chownSync(folder, uid, gid);
  return { uid, gid };
}
