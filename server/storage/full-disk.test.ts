import { describe, expect, it } from 'vitest';
import { FullDisk } from './full-disk.ts';

const sqliteFull = Object.assign(new Error('database or disk is full'), { errcode: 13 });
const postgresFull = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });

describe('a full disk', () => {
  it.each([sqliteFull, postgresFull])('is known for 5 seconds after %s', async (error) => {
    let now = 1_000;
    const disk = new FullDisk(() => now);
    await expect(disk.watch(Promise.reject(error))).rejects.toBe(error);
    now += 4_999;
    expect(() => disk.check()).toThrow('full');
    now += 1;
    disk.check();
  });

  it('has room again once a write succeeds', async () => {
    const disk = new FullDisk();
    await expect(disk.watch(Promise.reject(sqliteFull))).rejects.toBe(sqliteFull);
    expect(await disk.watch(Promise.resolve('written'))).toBe('written');
    disk.check();
  });

  it('is not what other failures tell of', async () => {
    const disk = new FullDisk();
    const busy = Object.assign(new Error('database is locked'), { errcode: 5 });
    await expect(disk.watch(Promise.reject(busy))).rejects.toBe(busy);
    disk.check();
  });
});
