import { existsSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

const OTHERS_MAY_WRITE = 0o022;
const OTHERS_MAY_ENTER = 0o077;

/**
 * Has Node keep compiled what this process loads from now on, and its threads and the programs that it starts: in the folder that
 * `NODE_COMPILE_CACHE` names, or else in one below the user's folder for caches.
 *
 * Whoever may write there can have any code run by us. What is loaded later is looked for by the folder's name again: so nobody else
 * may ever put another in its place, not even after it was deleted, as in a folder for temporary files. Where there is none that is
 * safe from others, nothing is kept.
 */
export function keepCompiled(): void {
  const named = process.env['NODE_COMPILE_CACHE'] ?? '';
  const folder = named === '' ? findOwnFolder() : named;
  if (folder === undefined) process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
  else {
    process.env['NODE_COMPILE_CACHE'] = folder;
    enableCompileCache(folder);
  }
}

/** Tells whose a folder is, and who may write into it. */
type Look = (folder: string) => Pick<Stats, 'uid' | 'mode'>;

/** Makes it where it is not there. Returns undefined if another user could put something in its place, or in that of a folder above it. */
export function findOwnFolder(look: Look = statSync): string | undefined {
  const user = process.getuid?.();
  // On Windows each user has a folder for temporary files.
  if (user === undefined) return join(tmpdir(), 'branchline-compiled');
  try {
    const wanted = resolve(findCaches(), 'branchline', 'compiled');
    const isSafe = (path: string): boolean => pathTo(path).every((above) => isClosed(look(above), user));
    if (!isSafe(realpathSync(nearest(wanted)))) return undefined;
    makeFolder(wanted);
    // Without the links in its path, which may be led elsewhere later.
    const folder = realpathSync(wanted);
    return (look(folder).mode & OTHERS_MAY_ENTER) === 0 && isSafe(folder) ? folder : undefined;
  } catch {
    // There is no such folder, and it can't be made.
    return undefined;
  }
}

/** XDG Base Directory Specification. */
function findCaches(): string {
  const named = process.env['XDG_CACHE_HOME'] ?? '';
  return named.startsWith('/') ? named : join(homedir(), '.cache');
}

/** The folder, or the nearest one above it that is there. */
function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder));
}

/** Folder by folder: Node's own way never ends where a folder is there and says of those in it that it is not, as `/proc` does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it just now.
    if (!existsSync(folder)) throw error;
  }
}

/** The folder and those above it, up to the root. */
function pathTo(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...pathTo(above)];
}

/** Whether nobody but this user and the superuser can put anything into the folder. */
function isClosed({ uid, mode }: ReturnType<Look>, user: number): boolean {
  return (uid === user || uid === 0) && (mode & OTHERS_MAY_WRITE) === 0;
}
