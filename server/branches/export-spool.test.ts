import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FILE_BYTES } from './export-backlog.ts';
import type { ScratchDisk } from '../storage/storage.ts';
import { ExportSpool, type ExportSpoolOptions } from './export-spool.ts';

let folder: string;
let brokenOff: string[];
beforeEach(() => {
  brokenOff = [];
  folder = mkdtempSync(join(tmpdir(), 'branchline-spool-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const MEBIBYTE = 1_048_576;

/** A body of so many mebibytes, and how it went on. */
function body(mebibytes: number, { failAt = Infinity }: { failAt?: number } = {}) {
  const progress = { made: 0, over: false };
  async function* make(): AsyncGenerator<string> {
    try {
      for (; progress.made < mebibytes; progress.made += 1) {
        if (progress.made === failAt) throw new Error('the database went away');
        yield String.fromCharCode(97 + (progress.made % 26)).repeat(MEBIBYTE);
      }
    } finally {
      progress.over = true;
    }
  }
  return { progress, chunks: make() };
}

interface SpoolOptions extends Partial<ExportSpoolOptions> {
  reserveBytes?: number;
}

let runShort: () => Promise<boolean>;

/** Nobody waits in vain, however slow the machine is, but where the test lets the time pass. */
function spool(mebibytes: number, { reserveBytes = 0, ...options }: SpoolOptions = {}): ExportSpool {
  const disk: ScratchDisk = {
    folder,
    reserveBytes,
    whenShort(giveWay) {
      runShort = giveWay;
    },
  };
  return new ExportSpool({ disk, bytes: mebibytes * MEBIBYTE, waitMs: 3_600_000, ...options });
}

const of = (workspaceId: string, chunks: AsyncIterable<string>) => ({
  workspaceId,
  body: chunks,
  breakOff: (error: unknown) => brokenOff.push(String(error)),
});

/** The nameless files of the folder that this process has open. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd')
    .map((fd) => join('/proc/self/fd', fd))
    .filter((link) => {
      try {
        return readlinkSync(link).startsWith(`${folder}/`);
      } catch {
        return false;
      }
    });
}

const bytesInFiles = () => openFiles().reduce((sum, file) => sum + statSync(file).size, 0);

async function text(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString();
}

describe('an export', () => {
  it('is read to its end, and its snapshot free, before its client has taken more than its beginning', async () => {
    const { progress, chunks } = body(20);
    const passed = spool(128).pass(of('shop', chunks));
    await passed.next();
    await expect.poll(() => progress.over).toBe(true);
    const rest = await text(passed);
    expect(rest).toHaveLength(19 * MEBIBYTE);
    expect(openFiles()).toEqual([]);
  });

  it('is kept in memory while it is small', async () => {
    const passed = spool(128).pass(of('shop', body(1).chunks));
    await passed.next();
    expect(openFiles()).toEqual([]);
    expect(await text(passed)).toBe('');
  });

  it('comes whole and in order, however it is made and taken', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ bytes: fc.nat({ max: 3 * MEBIBYTE }), pause: fc.boolean() }), { maxLength: 8 }),
        fc.infiniteStream(fc.nat({ max: 3 })),
        async (pieces, pauses) => {
          const made: string[] = [];
          async function* make(): AsyncGenerator<string> {
            for (const [at, { bytes, pause }] of pieces.entries()) {
              const piece = `${at}:`.padEnd(bytes, String.fromCharCode(97 + at));
              made.push(piece);
              yield piece;
              if (pause) await delay(1);
            }
          }
          const taken: Uint8Array[] = [];
          for await (const bytes of spool(128).pass(of('shop', make()))) {
            taken.push(bytes);
            if (pauses.next().value === 0) await delay(1);
          }
          expect(Buffer.concat(taken).toString() === made.join('')).toBe(true);
          expect(openFiles()).toEqual([]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('waits in files that nobody else can open, and that are gone with the process', async () => {
    const { progress, chunks } = body(20);
    const passed = spool(128).pass(of('shop', chunks));
    await passed.next();
    await expect.poll(() => progress.over).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
    const files = openFiles();
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(file).size).toBeLessThanOrEqual(FILE_BYTES);
    }
    await passed.return(undefined);
    expect(openFiles()).toEqual([]);
  });

  it('that fails is broken off at once, whatever waits', async () => {
    const { progress, chunks } = body(20, { failAt: 10 });
    const passed = spool(128).pass(of('shop', chunks));
    await passed.next();
    await expect.poll(() => progress.over).toBe(true);
    await expect.poll(openFiles).toEqual([]);
    expect(brokenOff).toEqual(['Error: the database went away']);
    await expect(passed.next()).rejects.toThrow('the database went away');
  });

  it('that fails gives back its place, whatever its client takes', async () => {
    const shared = spool(16);
    const failed = shared.pass(of('shop', body(20, { failAt: 4 }).chunks));
    await failed.next();
    expect(await text(shared.pass(of('shop', body(20).chunks)))).toHaveLength(20 * MEBIBYTE);
    await expect(failed.next()).rejects.toThrow('the database went away');
    expect(brokenOff).toHaveLength(1);
  });

  it('that fails while its client waits tells it once', async () => {
    const failed = Promise.withResolvers<string>();
    async function* make(): AsyncGenerator<string> {
      yield 'a beginning';
      yield await failed.promise;
    }
    const passed = spool(128).pass(of('shop', make()));
    await passed.next();
    const waiting = passed.next();
    failed.reject(new Error('the database went away'));
    await expect(waiting).rejects.toThrow('the database went away');
    expect(brokenOff).toEqual([]);
  });

  it('that fails before its first bytes fails so', async () => {
    await expect(
      spool(128)
        .pass(of('shop', body(1, { failAt: 0 }).chunks))
        .next(),
    ).rejects.toThrow('the database went away');
  });

  it('frees its snapshot, its files and its place when its client leaves', async () => {
    const small = spool(16);
    for (let round = 0; round < 10; round += 1) {
      const { progress, chunks } = body(1_000);
      const passed = small.pass(of('shop', chunks));
      await passed.next();
      await passed.return(undefined);
      expect(progress.over).toBe(true);
    }
    expect(openFiles()).toEqual([]);
  });

  it('is broken off after its time, even if its client still takes it', async () => {
    let now = 0;
    const passed = spool(128, { longestMs: 20_000, now: () => now }).pass(of('shop', body(20).chunks));
    await passed.next();
    now = 20_000;
    await passed.next();
    now += 1;
    await expect(passed.next()).rejects.toThrow('longer than 20 seconds');
    expect(openFiles()).toEqual([]);
  });
});

describe('the disk that exports share', () => {
  it('is bounded: past the bound an export waits for its client, and is broken off when that does not come', async () => {
    const { progress, chunks } = body(100);
    const passed = spool(48, { waitMs: 50 }).pass(of('shop', chunks));
    await passed.next();
    let most = 0;
    await expect
      .poll(() => {
        most = Math.max(most, bytesInFiles());
        return progress.over;
      })
      .toBe(true);
    expect(progress.made).toBeLessThan(30);
    expect(most).toBeLessThanOrEqual(24 * MEBIBYTE);
    await expect(passed.next()).rejects.toThrow('its client takes it too slowly');
  });

  it('does not bound what a client takes that keeps up', async () => {
    let taken = 0;
    for await (const bytes of spool(16).pass(of('shop', body(100).chunks))) taken += bytes.length;
    expect(taken).toBe(100 * MEBIBYTE);
  });

  it("is never all one workspace's: others still export, and its own further exports are told to come again", async () => {
    // Whoever has a place has all the time.
    const shared = spool(48, { waitMs: 50, now: () => 0 });
    const slow = [body(100), body(100), body(100)].map(({ chunks }) => shared.pass(of('greedy', chunks)));
    for (const passed of slow) await passed.next();
    const refused = shared.pass(of('greedy', body(1).chunks)).next();
    await expect(refused).rejects.toMatchObject({ statusCode: 503, headers: { 'retry-after': '10' } });
    expect(await text(shared.pass(of('modest', body(20).chunks)))).toHaveLength(20 * MEBIBYTE);
    for (const passed of slow) await passed.return(undefined);
    expect(await text(shared.pass(of('greedy', body(20).chunks)))).toHaveLength(20 * MEBIBYTE);
  });

  it('takes no turns with those of two workspaces that hold and ask for all they can', async () => {
    const shared = spool(96);
    const slow = ['greedy', 'greedier'].flatMap((name) =>
      Array.from({ length: 3 }, () => shared.pass(of(name, body(100).chunks))),
    );
    for (const passed of slow) await passed.next();
    for (const name of ['greedy', 'greedier']) void shared.pass(of(name, body(1).chunks)).next();
    expect(await text(shared.pass(of('modest', body(20).chunks)))).toHaveLength(20 * MEBIBYTE);
    for (const passed of slow) await passed.return(undefined);
  });
});

describe('the disk that exports share with the database', () => {
  const reserveBytes = 100 * MEBIBYTE;
  const freeBytes = (bytes: number) => async () => bytes - bytesInFiles();

  it('has its reserve left: past it an export waits for its client, and is broken off when that does not come', async () => {
    const free = freeBytes(reserveBytes + 2 * FILE_BYTES);
    const { progress, chunks } = body(100);
    const passed = spool(1_024, { waitMs: 50, reserveBytes, freeBytes: free }).pass(of('shop', chunks));
    await passed.next();
    await expect.poll(() => brokenOff).toEqual([expect.stringContaining('its client takes it too slowly')]);
    // Two files, and what is on its way.
    expect(progress.made).toBeGreaterThanOrEqual(16);
    expect(progress.made).toBeLessThan(20);
    await expect.poll(openFiles).toEqual([]);
    await passed.return(undefined);
  });

  it('without room for a file still serves what needs none', async () => {
    const free = freeBytes(reserveBytes + FILE_BYTES - 1);
    const small = spool(1_024, { reserveBytes, freeBytes: free });
    expect(await text(small.pass(of('shop', body(1).chunks)))).toHaveLength(MEBIBYTE);
  });

  it('is given back when the database is short of it, by exports that are read to their end too', async () => {
    const shared = spool(128);
    const [whole, growing] = [body(20), body(1_000)];
    const slow = [whole, growing].map(({ chunks }) => shared.pass(of('shop', chunks)));
    for (const passed of slow) await passed.next();
    await expect.poll(() => whole.progress.over).toBe(true);
    const inMemory = shared.pass(of('modest', body(1).chunks));
    await inMemory.next();

    expect(await runShort()).toBe(true);
    await expect.poll(openFiles).toEqual([]);
    expect(brokenOff).toEqual(Array(2).fill(expect.stringContaining('the database needs the room')));
    await expect.poll(() => growing.progress.over).toBe(true);
    expect(await runShort()).toBe(false);
    expect(await text(inMemory)).toBe('');
    for (const passed of slow) await expect(passed.next()).rejects.toThrow('the database needs the room');
  });
});
