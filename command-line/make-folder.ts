import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those that it is in. Node's own recursion never ends where the system says of one that it can't make that it is not
 * there, as Linux does below `/proc`.
 *
 * @param mode Defaults to what the system gives folders.
 * @returns the outermost that it has made; undefined where all were there
 * @throws Error of the file system
 */
export function makeFolder(folder: string, mode?: number): string | undefined {
  const wanted = [folder];
  for (let parent = dirname(folder); !existsSync(parent); parent = dirname(parent)) wanted.unshift(parent);
  let outermost: string | undefined;
  for (const one of wanted) if (makeOne(one, mode)) outermost ??= one;
  return outermost;
}

/** @returns whether it was not there */
function makeOne(folder: string, mode: number | undefined): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (isThere && statSync(folder).isDirectory()) return false;
    throw error;
  }
}
