import { beforeEach, describe, expect, it } from 'vitest';
import { KnownDamage } from './known-damage.ts';

const DAMAGE = Object.assign(new Error('database disk image is malformed'), { errcode: 11 });

let clock: { now: number };
let reads: PromiseWithResolvers<boolean>[];
let known: KnownDamage;

beforeEach(() => {
  clock = { now: 0 };
  reads = [];
  known = new KnownDamage({
    file: 'branchline.db',
    now: () => clock.now,
    readAll: async () => {
      const read = Promise.withResolvers<boolean>();
      reads.push(read);
      return read.promise;
    },
  });
});

/** So long ago that the whole file is read when it is asked for next. */
function meetDamage(): void {
  known.learn(DAMAGE);
  clock.now += 5_000;
}

function isKnown(): boolean {
  try {
    known.check();
    return false;
  } catch {
    return true;
  }
}

/** Ends the last reading of the whole file, which took so many milliseconds. */
async function endRead(isWhole: boolean | Error, tookMs = 0): Promise<void> {
  clock.now += tookMs;
  if (isWhole instanceof Error) reads.at(-1)?.reject(isWhole);
  else reads.at(-1)?.resolve(isWhole);
  await new Promise(setImmediate);
}

describe('damage', () => {
  it('is not known, and the file not read, because of any other error', () => {
    known.learn(Object.assign(new Error('disk I/O error'), { errcode: 10 }));
    expect(isKnown()).toBe(false);
    expect(reads).toHaveLength(0);
  });

  it('is known until the whole file was read, from five seconds later on, and found in order', async () => {
    known.learn(DAMAGE);
    clock.now = 4_999;
    expect(isKnown()).toBe(true);
    expect(reads).toHaveLength(0);
    clock.now = 5_000;
    expect([isKnown(), isKnown()]).toEqual([true, true]);
    expect(reads).toHaveLength(1);
    await endRead(true);
    expect(isKnown()).toBe(false);
  });

  it.each<[string, boolean | Error]>([
    ['it was found damaged', false],
    ['no thread reads it', new Error('none can be started')],
  ])('stays known where %s, and the file is read again a minute later', async (_what, isWhole) => {
    meetDamage();
    expect(isKnown()).toBe(true);
    await endRead(isWhole);
    clock.now = 64_999;
    expect(isKnown()).toBe(true);
    expect(reads).toHaveLength(1);
    clock.now = 65_000;
    expect(isKnown()).toBe(true);
    expect(reads).toHaveLength(2);
    await endRead(true);
    expect(isKnown()).toBe(false);
  });

  it('that was met again while the file was read stays known', async () => {
    meetDamage();
    expect(isKnown()).toBe(true);
    known.learn(DAMAGE);
    await endRead(true);
    expect(isKnown()).toBe(true);
  });

  it('of a large file has it read for a twentieth of the time at most', async () => {
    meetDamage();
    expect(isKnown()).toBe(true);
    await endRead(false, 10_000);
    clock.now += 199_999;
    expect(isKnown()).toBe(true);
    expect(reads).toHaveLength(1);
    clock.now += 1;
    expect(isKnown()).toBe(true);
    expect(reads).toHaveLength(2);
  });
});
