import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { readAccountFile } from './command-line/accounts.ts';
import { CouldNotRun } from './could-not-run.ts';
import { readEarlierReport } from './engine/report/earlier.ts';
import { readWaivers } from './engine/waivers/file.ts';

const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
const path = join(folder, 'large');
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['--account-file', readAccountFile, 2 ** 20],
  ['--waivers', readWaivers, 2 ** 20],
  ['--compare', (file: string) => readEarlierReport(file, '--compare'), 2 ** 28],
])('%s reads no device, no folder, and no more than its bound', (option, read, bound) => {
  writeFileSync(path, '');
  truncateSync(path, bound + 1);
  for (const [file, reason] of [
    [path, `has more than ${bound.toLocaleString('en')} bytes`],
    [folder, 'is a folder, not a regular file'],
    ['/dev/zero', 'is a device, not a regular file'],
  ] as const) {
    const attempt = () => read(file);
    expect(attempt).toThrow(CouldNotRun);
    expect(attempt).toThrow(`${option}: the file ${file} can't be read: ${file} ${reason}`);
  }
});

it('reads what a shell writes into a pipe', () => {
  const reader = fileURLToPath(new URL('testing/read-given-file.ts', import.meta.url));
  const command = `"$0" "$1" <(echo ci:secret)`;
  const text = execFileSync('bash', ['-c', command, process.execPath, reader], { encoding: 'utf8' });
  expect(text).toBe('ci:secret\n');
});
