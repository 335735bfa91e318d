import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBytes, readFileBytes, readRegularFileBytes } from './bounded-bytes.ts';

let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'branchline-bytes-'));
});
afterEach(() => rmSync(place, { recursive: true }));

it('reads a file to its end, and none that is too large', async () => {
  const path = join(place, 'file');
  writeFileSync(path, 'x'.repeat(200_000));
  expect((await readFileBytes(path, 200_000)).toString()).toBe('x'.repeat(200_000));
  await expect(readFileBytes(path, 199_999)).rejects.toThrow('It has more than 199999 bytes.');
});

it('ends a stream that has more', async () => {
  let ended = false;
  function* endless(): Generator<Uint8Array, void, undefined> {
    try {
      for (;;) yield new Uint8Array(100);
    } finally {
      ended = true;
    }
  }
  await expect(readBytes(endless(), 1_000)).rejects.toThrow('It has more than 1000 bytes.');
  expect(ended).toBe(true);
});

const onUnix = process.platform !== 'win32';
const why = onUnix ? '' : ' (skipped: Windows has none)';

it.skipIf(!onUnix)(`reads a pipe${why}`, async () => {
  const path = join(place, 'pipe');
  execFileSync('mkfifo', [path]);
  createWriteStream(path).end('from a pipe');
  expect((await readFileBytes(path)).toString()).toBe('from a pipe');
});

it.skipIf(!onUnix)(`refuses a device, and says of a folder what the system says${why}`, async () => {
  await expect(readFileBytes('/dev/zero')).rejects.toThrow('It is a device, not a regular file.');
  await expect(readFileBytes(place)).rejects.toMatchObject({ code: 'EISDIR' });
});

it.skipIf(!onUnix)(`waits for no pipe where a file is wanted${why}`, async () => {
  const path = join(place, 'pipe');
  execFileSync('mkfifo', [path]);
  await expect(readRegularFileBytes(path)).rejects.toThrow('It is a named pipe, not a regular file.');
  await expect(readRegularFileBytes('/dev/zero')).rejects.toThrow('It is a device, not a regular file.');
  await expect(readRegularFileBytes(place)).rejects.toThrow('It is a folder, not a regular file.');
  writeFileSync(join(place, 'file'), 'text');
  expect((await readRegularFileBytes(join(place, 'file'))).toString()).toBe('text');
});
