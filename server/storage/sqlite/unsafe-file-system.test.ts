import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeUnsafeFileSystem } from './unsafe-file-system.ts';

const file = join(tmpdir(), 'branchline.db');

test.each([
  // Some systems give it with its highest bit as a sign.
  ['btrfs', { type: 0x91_23_68_3e, bsize: 4_096 }],
  ['btrfs', { type: 0x91_23_68_3e | 0, bsize: 4_096 }],
  ['bcachefs', { type: 0xca_45_1a_4e, bsize: 4_096 }],
  ['a file system with blocks of 1024 bytes', { type: 0xef_53, bsize: 1_024 }],
])('%s ends a server that finds no room, and that is said', (where, fileSystem) => {
  expect(describeUnsafeFileSystem(file, () => fileSystem)).toContain(`The database is on ${where}. When that disk is`);
});

test('others are nothing to speak of', () => {
  for (const type of [0xef_53, 0x58_46_53_42])
    expect(describeUnsafeFileSystem(file, () => ({ type, bsize: 4_096 }))).toBeUndefined();
  expect(describeUnsafeFileSystem('/dev/shm/branchline.db')).toBeUndefined();
});
