import { describe, expect, it } from 'vitest';
import { FullDisk } from './full-disk.ts';

const postgresFull = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });

function makeDisk() {
  const clock = { now: 1_000 };
  const trials = { made: 0, error: postgresFull as Error | undefined };
  const disk = new FullDisk(() => clock.now);
  const tryToGrow = async (): Promise<void> => {
    trials.made += 1;
    if (trials.error !== undefined) throw trials.error;
  };
  return { disk, clock, trials, requireRoom: () => disk.requireRoom(tryToGrow) };
}

const FULL = /disk is full \(could not extend file: No space left on device\)/;

describe('a full disk', () => {
  it('is known however long it is ago, until a trial finds room', async () => {
    const { disk, clock, trials, requireRoom } = makeDisk();
    disk.learnFrom(postgresFull);
    for (const later of [0, 1, 5_000, 3_600_000]) {
      clock.now += later;
      await expect(requireRoom()).rejects.toThrow(FULL);
    }
    trials.error = undefined;
    clock.now += 1_000;
    await requireRoom();
    const { made } = trials;
    await requireRoom();
    expect(trials.made).toBe(made);
  });

  it('is tried at most once a second', async () => {
    const { disk, clock, trials, requireRoom } = makeDisk();
    disk.learnFrom(postgresFull);
    await expect(requireRoom()).rejects.toThrow(FULL);
    trials.error = undefined;
    clock.now += 999;
    await expect(requireRoom()).rejects.toThrow(FULL);
    clock.now += 1;
    await requireRoom();
    expect(trials.made).toBe(2);
  });

  it('is forgotten where the role may not try, and stays where the trial fails otherwise', async () => {
    const { disk, clock, trials, requireRoom } = makeDisk();
    disk.learnFrom(postgresFull);
    trials.error = new Error('timeout');
    await expect(requireRoom()).rejects.toThrow('timeout');
    await expect(requireRoom()).rejects.toThrow(FULL);
    trials.error = Object.assign(new Error('permission denied'), { code: '42501' });
    clock.now += 1_000;
    await requireRoom();
  });

  it('is not what other failures tell of', async () => {
    const { disk, trials, requireRoom } = makeDisk();
    disk.learnFrom(Object.assign(new Error('deadlock detected'), { code: '40P01' }));
    disk.learnFrom('full');
    await requireRoom();
    expect(trials.made).toBe(0);
  });
});
