import { rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '@branchline/command-line';

/**
 * Makes the folder of a file, and those that it is in, for their owner only.
 *
 * @returns takes away those that it has made, as far as there is nothing in them
 * @throws Error of the file system
 */
export function makeFolderOf(file: string): () => void {
  const folder = dirname(file);
  const first = makeFolder(folder, 0o700);
  return () => {
    if (first !== undefined) removeEmpty(folder, first);
  };
}

function removeEmpty(folder: string, first: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else uses it by now.
    return;
  }
  if (folder.length > first.length) removeEmpty(dirname(folder), first);
}
