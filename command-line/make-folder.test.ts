import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'branchline-folders-'));
});
afterEach(() => rmSync(place, { recursive: true }));

it('makes a folder and those that it is in, and says which of them is the outermost', () => {
  expect(makeFolder(join(place, 'a', 'b', 'c'), 0o700)).toBe(join(place, 'a'));
  expect((statSync(join(place, 'a', 'b', 'c')).mode & 0o777).toString(8)).toBe('700');
  expect(makeFolder(join(place, 'a', 'b', 'd'))).toBe(join(place, 'a', 'b', 'd'));
  expect(makeFolder(join(place, 'a'))).toBeUndefined();
});

it('fails where a file is in the way', () => {
  writeFileSync(join(place, 'file'), '');
  expect(() => makeFolder(join(place, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(place, 'file', 'a'))).toThrow('ENOTDIR');
});

const onLinux = process.platform === 'linux';

it.skipIf(!onLinux)(
  `fails below /proc, where nobody can make any${onLinux ? '' : ' (skipped: only Linux has it)'}`,
  () => {
    expect(() => makeFolder('/proc/branchline/a')).toThrow('ENOENT');
  },
);
