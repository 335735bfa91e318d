import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('branchline.js', import.meta.url));
const OURS = `branchline-compiled-${process.getuid?.()}`;

let temporary: string;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'branchline-test-'));
});
afterEach(() => rmSync(temporary, { recursive: true }));

async function run(parameters: readonly string[], variables: Record<string, string> = {}): Promise<string> {
  const { NODE_COMPILE_CACHE: _, ...present } = process.env;
  const env = { ...present, TMPDIR: temporary, ...variables };
  return (await promisify(execFile)(process.execPath, parameters, { env })).stdout;
}

async function printVersion(variables?: Record<string, string>): Promise<void> {
  expect(await run([PROGRAM, '--version'], variables)).toMatch(/^\d+\.\d+\.\d+\n$/);
}

it('keeps compiled what it loads, where nobody else may write', async () => {
  await printVersion();
  expect(readdirSync(temporary)).toEqual([OURS]);
  expect(statSync(join(temporary, OURS)).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(temporary, OURS))).toHaveLength(1);
});

it('has threads keep it there, too', async () => {
  const tell = 'import { getCompileCacheDir } from "node:module"; console.log(getCompileCacheDir() ?? "nowhere");';
  const start = (before: string) =>
    `${before} new (await import("node:worker_threads")).Worker(new URL('data:text/javascript,${tell}'));`;
  const keep = `(await import(${JSON.stringify(new URL('compile-cache.ts', import.meta.url))})).keepCompiled();`;
  expect(await run(['--input-type=module', '--eval', start('')])).toBe('nowhere\n');
  expect(await run(['--input-type=module', '--eval', start(keep)])).toContain(join(temporary, OURS));
});

it('keeps nothing in a folder that another user has made, or may write into', async () => {
  const folder = join(temporary, OURS);
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  await printVersion();
  expect(readdirSync(folder)).toEqual([]);
  // The superuser alone can give it away.
  if (process.getuid?.() !== 0) return;
  rmSync(folder, { recursive: true });
  await promisify(execFile)('install', ['-d', '-m', '755', '-o', '12345', folder]);
  await printVersion();
  expect(readdirSync(temporary)).toEqual([OURS]);
  expect(readdirSync(folder)).toEqual([]);
});

it('keeps nothing where another user could put a folder in the place of its own', async () => {
  chmodSync(temporary, 0o777);
  await printVersion();
  expect(readdirSync(join(temporary, OURS))).toEqual([]);
  chmodSync(temporary, 0o1777);
  await printVersion();
  expect(readdirSync(join(temporary, OURS))).toHaveLength(1);
});

it('keeps nothing where another user could put a folder in the place of one above its own', async () => {
  const inner = join(temporary, 'inner', 'temporary');
  mkdirSync(inner, { recursive: true, mode: 0o700 });
  chmodSync(temporary, 0o777);
  await printVersion({ TMPDIR: inner });
  expect(readdirSync(join(inner, OURS))).toEqual([]);
  chmodSync(temporary, 0o1777);
  await printVersion({ TMPDIR: inner });
  expect(readdirSync(join(inner, OURS))).toHaveLength(1);
});

it('names the folder without the links in its path, which may be led elsewhere while it runs', async () => {
  const link = join(temporary, 'link');
  const inner = join(temporary, 'inner');
  mkdirSync(inner, { mode: 0o700 });
  symlinkSync(inner, link);
  const keep = `(await import(${JSON.stringify(new URL('compile-cache.ts', import.meta.url))})).keepCompiled();`;
  const tell = `${keep} console.log(process.env['NODE_COMPILE_CACHE']);`;
  expect(await run(['--input-type=module', '--eval', tell], { TMPDIR: link })).toBe(`${join(inner, OURS)}\n`);
});

it('keeps nothing behind a symbolic link', async () => {
  const elsewhere = join(temporary, 'elsewhere');
  mkdirSync(elsewhere, { mode: 0o700 });
  symlinkSync(elsewhere, join(temporary, OURS));
  await printVersion();
  expect(readdirSync(elsewhere)).toEqual([]);
});

it('runs, and keeps nothing, without a folder for temporary files', async () => {
  await printVersion({ TMPDIR: join(temporary, 'missing') });
  expect(readdirSync(temporary)).toEqual([]);
});

it('keeps it in the folder that the environment names', async () => {
  const named = join(temporary, 'named');
  await printVersion({ NODE_COMPILE_CACHE: named });
  expect(readdirSync(temporary)).toEqual(['named']);
});
