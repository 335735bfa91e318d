import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { branchline, startProcess } from './support/command-line.ts';
import { mountSmallDisk, unmountSmallDisk } from './support/small-disk.ts';

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

it.skipIf(process.platform !== 'linux')(
  'a disk with room for the database and not for its key is left empty, and the next start is the first',
  async (test) => {
    const disk = join(folder, 'disk');
    if (!mountSmallDisk(disk, { size: '3m' })) return test.skip('This user can mount no disk.');
    try {
      database = join(disk, 'branchline.db');
      for (const room of [600, 700, 800, 900, 1_000]) {
        const { bavail, bsize } = statfsSync(disk);
        writeFileSync(join(disk, 'filling'), Buffer.alloc(bavail * bsize - room * 1_024));
        for (const command of [
          ['serve', '--port', '0'],
          ['workspace', 'create', 'shop'],
        ]) {
          const failed = await branchline(command, { BRANCHLINE_DATABASE: database });
          expect(failed).toMatchObject({
            exitCode: 2,
            stderr: expect.stringMatching(/^branchline: .*(full|ENOSPC).*\n$/),
          });
          expect(failed.stderr).not.toContain('Name another');
          expect(readdirSync(disk), String(room)).toEqual(['filling']);
        }
        rmSync(join(disk, 'filling'));
      }
      await starts();
    } finally {
      unmountSmallDisk(disk);
    }
  },
);

it.each([
  ['a hash key that is not there', ['--hash-key-file', '/nowhere/key'], () => {}],
  ['a lock that is a link', [], () => symlinkSync('elsewhere', `${database}.lock`)],
])('with %s it leaves nothing', async (_what, args, prepare) => {
  mkdirSync(data, { recursive: true });
  prepare();
  const before = readdirSync(data);
  const failed = await branchline(['serve', '--port', '0', '--database', database, ...args]);
  expect(failed).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^branchline: .*\n$/) });
  expect(readdirSync(data)).toEqual(before);
});

it('what was there before stays', async () => {
  mkdirSync(data, { recursive: true });
  await runWithin(0, [LAUNCHER, 'serve', '--port', '0', '--database', database]);
  expect(existsSync(data)).toBe(true);
});

it('half a hash key is none: it is not left there', async () => {
  mkdirSync(data, { recursive: true });
  const module = new URL('../server/accounts/hash-key.ts', import.meta.url).href;
  const script = `const { loadHashKey } = await import('${module}'); await loadHashKey('${database}', true);`;
  const failed = await runWithin(0, ['--input-type=module', '--eval', script]);
  expect(failed.stderr).toMatch(/The hash key file .*branchline\.db\.key can't be used: EFBIG/);
  expect(readdirSync(data)).toEqual([]);
});

it('whoever opens a database on a full disk, or may open no more files, is told that, and to name no other', async () => {
  mkdirSync(data, { recursive: true });
  await starts();
  const full = await runWithin(0, [LAUNCHER, 'workspace', 'list', '--database', database]);
  expect(full).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(/can't be opened: .*disk is full.* mend that, and try again\.\n$/),
  });
  const module = new URL('../server/storage/sqlite/prepared-file.ts', import.meta.url).href;
  const script = `const { openFile } = await import('${module}'); const { openSync } = await import('node:fs');
    try { for (;;) openSync('/dev/null'); } catch {}
    openFile('${database}');`;
  const limited = spawnSync('sh', [
    '-c',
    'ulimit -n 64; exec "$0" "$@"',
    process.execPath,
    '--input-type=module',
    '--eval',
    script,
  ]);
  expect(limited.stderr.toString()).toMatch(
    /can't be opened: .* No more files can be opened: raise that limit \(ulimit -n\)/,
  );
});
