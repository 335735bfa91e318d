import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UserError } from '@branchline/command-line';
import { lockForServing } from './server-lock.ts';

let folder: string;
let file: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-lock-'));
  file = join(folder, 'data', 'branchline.db');
  lock = `${file}.lock`;
});

afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it('one server at a time may have a database', () => {
  const held = lockForServing(file);
  expect(() => lockForServing(file)).toThrow(/Another Branchline server is using/);
  held.release();
  lockForServing(file).release();
});

it.each([
  ['there', true],
  ['not made yet', false],
])('the lock is the same by another name of a database that is %s', (_when, made) => {
  mkdirSync(dirname(file));
  if (made) writeFileSync(file, '');
  const link = join(folder, 'link.db');
  symlinkSync(file, link);
  const held = lockForServing(file);
  expect(() => lockForServing(link)).toThrow(/Another Branchline server is using/);
  held.release();
});

it('a lock that can not be made is refused with a sentence', () => {
  const notAFolder = join(folder, 'notes.txt');
  writeFileSync(notAFolder, '');
  expect(() => lockForServing(join(notAFolder, 'x.db'))).toThrow(UserError);
});

it('a lock and its folder are made for their owner only', () => {
  const held = lockForServing(file);
  expect([modeOf(dirname(file)), modeOf(lock)]).toEqual(['700', '600']);
  held.release();
});

it('a folder that is there keeps its mode', () => {
  mkdirSync(dirname(file));
  chmodSync(dirname(file), 0o750);
  lockForServing(file).release();
  expect(modeOf(dirname(file))).toBe('750');
});

it('a lock that others could open is closed to them', () => {
  mkdirSync(dirname(file));
  writeFileSync(lock, '');
  chmodSync(lock, 0o666);
  const held = lockForServing(file);
  expect(modeOf(lock)).toBe('600');
  held.release();
});

it.each([
  ['a file', true],
  ['nothing', false],
])('a link to %s in its place is not followed', (_what, there) => {
  mkdirSync(dirname(file));
  const victim = join(folder, 'victim');
  if (there) writeFileSync(victim, '', { mode: 0o644 });
  symlinkSync(victim, lock);
  expect(() => lockForServing(file)).toThrow(/The lock file .*\.lock is a link.*Remove it/);
  expect(existsSync(victim) ? modeOf(victim) : undefined).toBe(there ? '644' : undefined);
});

it('what is no lock is not said to be held', () => {
  mkdirSync(dirname(file));
  writeFileSync(lock, 'These are notes. '.repeat(100));
  expect(() => lockForServing(file)).toThrow(
    /lock file .*\.lock is damaged \(file is not a database\)\. Remove it, and start/,
  );
});

it('what is no file is said to be in its place', () => {
  mkdirSync(lock, { recursive: true });
  expect(() => lockForServing(file)).toThrow(
    /lock file .*\.lock is a folder, not a regular file\. Remove it, and start/,
  );
});

const root = process.geteuid?.() === 0;

it.skipIf(!root)(`the lock of another user is refused${root ? '' : ' (only root can try)'}`, () => {
  mkdirSync(dirname(file));
  writeFileSync(lock, '');
  chownSync(lock, 12_345, 12_345);
  expect(() => lockForServing(file)).toThrow(/belongs to another user \(uid 12345\).*Remove it/);
  // Whoever owns the folder can do as they like there anyway.
  chownSync(dirname(file), 12_345, 12_345);
  lockForServing(file).release();
});
