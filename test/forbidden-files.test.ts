import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startProcess } from './support/command-line.ts';

const LAUNCHER = fileURLToPath(new URL('../bin/branchline.js', import.meta.url));
const USER = 50_000 + (process.pid % 10_000);
const AS_USER = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'] as const;

function runAsUser(...args: readonly string[]): { status: number | null; stderr: string } {
  const [setpriv, ...ofUser] = AS_USER;
  return spawnSync(setpriv, [...ofUser, process.execPath, LAUNCHER, ...args], { encoding: 'utf8', timeout: 60_000 });
}

const canBeUser = runAsUser('--version').status === 0;
const why = canBeUser ? '' : ' (skipped: needs root and setpriv)';

let folder: string;
let database: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-forbidden-'));
  database = join(folder, 'branchline.db');
  const server = await startProcess(database, ['--drain-delay', '0']);
  await server.stop();
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) chownSync(path, USER, USER);
});

afterEach(() => rmSync(folder, { recursive: true }));

it.skipIf(!canBeUser).each([
  ['the database itself', (): string => database],
  ['its log', (): string => `${database}-wal`],
  ["its log's index", (): string => `${database}-shm`],
  ['its folder', (): string => folder],
])(`a user who may not use %s is told which it is${why}`, (_what, path) => {
  expect(runAsUser('workspace', 'create', 'mine', '--database', database)).toMatchObject({ status: 0 });
  if (path().endsWith('.db-wal') || path().endsWith('.db-shm')) writeFileSync(path(), '');
  chownSync(path(), 0, 0);
  chmodSync(path(), path() === folder ? 0o755 : 0o600);
  const { status, stderr } = runAsUser('workspace', 'create', 'shop', '--database', database);
  expect(stderr).toMatch(/^branchline: .*\n$/);
  expect(stderr).toContain(`may not read and write ${path()}: give it that right, or name another with --database.`);
  expect(status).toBe(2);
});
