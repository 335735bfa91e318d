import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { findOwnFolder } from './compile-cache.ts';

const PROGRAM = fileURLToPath(new URL('branchline.js', import.meta.url));
const OURS = join('branchline', 'compiled');

/** Has no links in its path. */
let caches: string;
beforeEach(() => {
  caches = realpathSync(mkdtempSync(join(tmpdir(), 'branchline-test-')));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(caches, { recursive: true });
});

/** Where the folder is found, as if nobody but the superuser could write into what is above that for caches. */
function find(named = caches): string | undefined {
  vi.stubEnv('XDG_CACHE_HOME', named);
  return findOwnFolder((folder) => (caches.startsWith(join(folder, '/')) ? { uid: 0, mode: 0o755 } : statSync(folder)));
}

async function run(parameters: readonly string[], variables: Record<string, string>): Promise<string> {
  const { NODE_COMPILE_CACHE: _, ...present } = process.env;
  return (await promisify(execFile)(process.execPath, parameters, { env: { ...present, ...variables } })).stdout;
}

async function printVersion(variables: Record<string, string>): Promise<void> {
  expect(await run([PROGRAM, '--version'], variables)).toMatch(/^\d+\.\d+\.\d+\n$/);
}

it('is made where nobody else may write, and found again', () => {
  expect(find()).toBe(join(caches, OURS));
  expect(statSync(join(caches, OURS)).mode & 0o777).toBe(0o700);
  expect(find()).toBe(join(caches, OURS));
});

it("lies below the user's own folder where no other is named", () => {
  vi.stubEnv('HOME', caches);
  expect(find('')).toBe(join(caches, '.cache', OURS));
  expect(find('not/from/the/root')).toBe(join(caches, '.cache', OURS));
});

it('is none that another user has made, or may enter', async () => {
  const folder = join(caches, OURS);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  expect(find()).toBe(undefined);
  // The superuser alone can give it away.
  if (process.getuid?.() !== 0) return;
  rmSync(folder, { recursive: true });
  await promisify(execFile)('install', ['-d', '-m', '700', '-o', '12345', folder]);
  expect(find()).toBe(undefined);
});

it.each([0o777, 0o1777, 0o775])('is none, and none is made, below a folder of mode %o', (mode) => {
  chmodSync(caches, mode);
  expect(find()).toBe(undefined);
  const inner = join(caches, 'inner');
  mkdirSync(inner, { mode: 0o700 });
  expect(find(inner)).toBe(undefined);
  expect(readdirSync(inner)).toEqual([]);
});

it('is named without the links in its path, which may be led elsewhere while it is used', () => {
  const [link, inner] = [join(caches, 'link'), join(caches, 'inner')];
  mkdirSync(inner, { mode: 0o700 });
  symlinkSync(inner, link);
  expect(find(link)).toBe(join(inner, OURS));
});

it('is none where nothing can be written', () => {
  expect(find('/dev/null')).toBe(undefined);
});

it('nothing is kept, and all runs, in a folder that another user may write into', async () => {
  chmodSync(caches, 0o1777);
  await printVersion({ XDG_CACHE_HOME: caches });
  expect(readdirSync(caches)).toEqual([]);
});

it('has threads keep what is compiled there, too', async () => {
  const tell = 'import { getCompileCacheDir } from "node:module"; console.log(getCompileCacheDir() ?? "nowhere");';
  const start = (before: string) =>
    `${before} new (await import("node:worker_threads")).Worker(new URL('data:text/javascript,${tell}'));`;
  const keep = `(await import(${JSON.stringify(new URL('compile-cache.ts', import.meta.url))})).keepCompiled();`;
  const named = { NODE_COMPILE_CACHE: join(caches, 'named') };
  expect(await run(['--input-type=module', '--eval', start(keep)], named)).toContain(join(caches, 'named'));
});

it('keeps it in the folder that the environment names', async () => {
  const named = join(caches, 'named');
  await printVersion({ NODE_COMPILE_CACHE: named });
  expect(readdirSync(named)).toHaveLength(1);
});

it.runIf(process.platform === 'linux')('is none where the system makes no folders, and that is known at once', () => {
  vi.stubEnv('XDG_CACHE_HOME', '/proc');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(findOwnFolder(() => ({ uid: process.getuid?.() ?? 0, mode: 0o700 }))).toBeUndefined();
});
