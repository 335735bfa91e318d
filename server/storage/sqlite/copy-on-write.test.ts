import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeCopyOnWrite } from './copy-on-write.ts';

const file = join(tmpdir(), 'branchline.db');

test.each([
  // Some systems give it with its highest bit as a sign.
  ['btrfs', 0x91_23_68_3e],
  ['btrfs', 0x91_23_68_3e | 0],
  ['bcachefs', 0xca_45_1a_4e],
])('%s ends a server that finds no room, and that is said', (name, type) => {
  expect(describeCopyOnWrite(file, () => type)).toContain(`The database is on ${name}. When that disk is full`);
});

test('other file systems are nothing to speak of', () => {
  for (const ext4 of [0xef_53, 0x58_46_53_42]) expect(describeCopyOnWrite(file, () => ext4)).toBeUndefined();
  expect(describeCopyOnWrite('/proc/branchline.db')).toBeUndefined();
});
