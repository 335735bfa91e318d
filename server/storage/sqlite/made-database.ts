import { accessSync, closeSync, constants, existsSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sizeOf } from './file-size.ts';
import { makeFolderOf } from './made-folder.ts';
import { resolveLinks } from './resolve-links.ts';

/**
 * Makes the file of a database, if need be. E-mails are in it, so it is for its owner; SQLite gives the files beside it the same
 * mode. A file that is there is never opened here: closing it would take from SQLite all locks that this process has on it.
 *
 * @returns takes away what it has made, where nobody uses it and no workspace came into it; to be called when it is closed
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
    removeUnused(resolveLinks(file));
    removeFolder();
  };
}

/** Another process may have opened it meanwhile, or stored something in it. */
function removeUnused(file: string): void {
  if (!existsSync(file)) return;
  try {
    // A transaction would write the first page, for which there may be no room.
    if (['', '-wal', '-journal'].every((suffix) => sizeOf(file + suffix) === 0)) return remove(file);
    using database = new DatabaseSync(file, { timeout: 0 });
    // So nobody else has it open, also if only to read, and nobody can before it has gone.
    database.exec('pragma locking_mode = exclusive; begin exclusive');
    if (!hasWorkspaces(database)) remove(file);
  } catch {
    // It is in use, or can't be looked at: then it stays.
  }
}

function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

function hasWorkspaces(database: DatabaseSync): boolean {
  if (database.prepare("select 1 from sqlite_schema where name = 'workspaces'").get() === undefined) return false;
  return database.prepare('select 1 from workspaces limit 1').get() !== undefined;
}
