import { describe, expect, it } from 'vitest';
import { FullDisk } from './full-disk.ts';

const postgresFull = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });

describe('a full disk', () => {
  it('is known for 5 seconds after a statement that failed for it', () => {
    let now = 1_000;
    const disk = new FullDisk(() => now);
    disk.learnFrom(postgresFull);
    now += 4_999;
    expect(() => disk.check()).toThrow('full');
    now += 1;
    expect(() => disk.check()).not.toThrow();
  });

  it('is not what other failures tell of', () => {
    const disk = new FullDisk();
    disk.learnFrom(Object.assign(new Error('deadlock detected'), { code: '40P01' }));
    disk.learnFrom('full');
    expect(() => disk.check()).not.toThrow();
  });
});
