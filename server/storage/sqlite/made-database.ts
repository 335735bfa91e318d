import { accessSync, closeSync, constants, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { makeFolderOf } from './made-folder.ts';
import { resolveLinks } from './resolve-links.ts';

/** As much has a database in which there is no table yet. */
const FIRST_PAGE_BYTES = 4_096;

/**
 * Makes the file of a database, if need be. E-mails are in it, so it is for its owner; SQLite gives the files beside it the same
 * mode. A file that is there is never opened here: closing it would take from SQLite all locks that this process has on it.
 *
 * @returns takes away what it has made, where no table came into it
 * @throws Error of the file system
 */
export function makeDatabaseFile(file: string): () => void {
  const removeFolder = makeFolderOf(file);
  if (existsSync(file)) {
    accessSync(file, constants.R_OK | constants.W_OK);
    return removeFolder;
  }
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    removeFolder();
    throw error;
  }
  return () => {
    removeEmptyDatabase(resolveLinks(file));
    removeFolder();
  };
}

/** Another process may have put tables into it meanwhile: they may be in its log alone. */
function removeEmptyDatabase(file: string): void {
  if (sizeOf(file) > FIRST_PAGE_BYTES || sizeOf(`${file}-wal`) > 0) return;
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
