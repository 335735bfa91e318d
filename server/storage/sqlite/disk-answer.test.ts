import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { waitForDisk } from './disk-answer.ts';

afterEach(() => void vi.useRealTimers());

test('a disk that hangs is waited for, and that is said once', async () => {
  vi.useFakeTimers();
  const disk = Promise.withResolvers<void>();
  const said: string[] = [];
  let isOver = false;
  const waiting = waitForDisk(
    '/srv/branchline.db',
    (line) => said.push(line),
    () => disk.promise,
  ).then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(999);
  expect(said).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toEqual(['waiting for the disk of the database file /srv/branchline.db, which does not answer']);
  expect(isOver).toBe(false);
  disk.resolve();
  await waiting;
});

test('a disk that answers is left as it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
  await waitForDisk(join(folder, 'branchline.db'));
  expect(readdirSync(folder)).toEqual([]);
});

test.each(['/proc/branchline.db', '/dev/null/branchline.db', join(tmpdir(), 'not', 'yet', 'made', 'branchline.db')])(
  'what is wrong with the folder of %s is for others to tell',
  async (file) => {
    await expect(waitForDisk(file)).resolves.toBeUndefined();
  },
);
