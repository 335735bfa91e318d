import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDiskOptions {
  /** As mount takes it, such as `20m`. */
  size: string;
  /** The user whose folder it is, and whose group. Defaults to root. */
  owner?: string;
}

/**
 * Makes a folder that is a disk of its own, in memory.
 *
 * @returns whether it could; only the root user of some machines can
 */
export function mountSmallDisk(folder: string, { size, owner = 'root' }: SmallDiskOptions): boolean {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700,uid=${owner},gid=${owner}`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes a folder that shows another one, and keeps on a small disk what is changed in it.
 *
 * @returns whether it could, as {@link mountSmallDisk}
 */
export function mountOverlay(folder: string, shown: string, disk: string): boolean {
  for (const made of [folder, join(disk, 'upper'), join(disk, 'work')]) mkdirSync(made);
  const layers = `lowerdir=${shown},upperdir=${join(disk, 'upper')},workdir=${join(disk, 'work')}`;
  try {
    execFileSync('mount', ['-t', 'overlay', '-o', layers, 'overlay', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export function unmountSmallDisk(folder: string): void {
  execFileSync('umount', [folder]);
}

/** Makes a small disk exactly as large as what is on it. */
export function shrinkSmallDisk(folder: string): void {
  const { blocks, bfree, bsize } = statfsSync(folder);
  execFileSync('mount', ['-o', `remount,size=${(blocks - bfree) * bsize}`, folder], { stdio: 'ignore' });
}
