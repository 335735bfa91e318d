import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startProcess } from './support/command-line.ts';

/** What a first start leaves behind that fails before there is a database. */

const LAUNCHER = fileURLToPath(new URL('../bin/branchline.js', import.meta.url));

let folder: string;
let data: string;
let database: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-full-'));
  data = join(folder, 'to', 'data');
  database = join(data, 'branchline.db');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Runs Node, none of whose files may have more than so many blocks of 512 bytes, as on a disk that is full then. */
async function runWithin(
  blocks: number,
  args: readonly string[],
): Promise<{ exitCode: number | null; stderr: string }> {
  const limited = ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, ...args];
  const child = spawn('sh', limited, { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, 'close');
  return { exitCode: child.exitCode, stderr };
}

const starts = async () => {
  const server = await startProcess(database, ['--drain-delay', '0']);
  expect(server.output()).toContain('curl');
  expect(await server.stop()).toBe(0);
};

it.each([
  ['for nothing', 0],
  ['for the first page', 8],
])(
  'a first start or command on a disk with room %s leaves nothing, and the next one is the first',
  async (_what, blocks) => {
    for (const command of [
      ['serve', '--port', '0'],
      ['workspace', 'create', 'shop'],
    ]) {
      const failed = await runWithin(blocks, [LAUNCHER, ...command, '--database', database]);
      expect(failed).toEqual({ exitCode: 2, stderr: expect.stringMatching(/^branchline: .*(disk|full).*\n$/) });
      expect(existsSync(join(folder, 'to'))).toBe(false);
    }
    await starts();
  },
);

it('what was there before stays', async () => {
  mkdirSync(data, { recursive: true });
  await runWithin(0, [LAUNCHER, 'serve', '--port', '0', '--database', database]);
  expect(existsSync(data)).toBe(true);
});

it('half a hash key is none: it is not left there', async () => {
  mkdirSync(data, { recursive: true });
  const module = new URL('../server/accounts/hash-key.ts', import.meta.url).href;
  const script = `const { loadHashKey } = await import('${module}'); await loadHashKey({ database: '${database}' }, true);`;
  const failed = await runWithin(0, ['--input-type=module', '--eval', script]);
  expect(failed.stderr).toMatch(/The hash key file .*branchline\.db\.key can't be used: EFBIG/);
  expect(readdirSync(data)).toEqual([]);
});
