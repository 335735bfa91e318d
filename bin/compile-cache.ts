import { lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const OTHERS_MAY_WRITE = 0o022;
const STICKY = 0o1000;
const UNLESS_MISSING = { throwIfNoEntry: false } as const;

/**
 * Has Node keep compiled what this process loads from now on, and its threads and the programs that it starts: in the folder that
 * `NODE_COMPILE_CACHE` names, or else in one of this user below the folder for temporary files.
 *
 * Whoever may write there can have any code run by us, and Node's own folder belongs to whichever user of the machine makes it first.
 * Where there is none that is safe from others, nothing is kept.
 */
export function keepCompiled(): void {
  const named = process.env['NODE_COMPILE_CACHE'] ?? '';
  const folder = named === '' ? findOwnFolder(tmpdir()) : named;
  if (folder === undefined) process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
  else {
    process.env['NODE_COMPILE_CACHE'] = folder;
    enableCompileCache(folder);
  }
}

/** Makes it where it is not there. Returns undefined if another user could put something in its place. */
function findOwnFolder(parent: string): string | undefined {
  const user = process.getuid?.();
  // On Windows each user has a folder for temporary files.
  if (user === undefined) return join(parent, 'branchline-compiled');
  const folder = join(parent, `branchline-compiled-${user}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // Most often it is there; whether it is ours is seen now.
  }
  const [outer, own] = [statSync(parent, UNLESS_MISSING), lstatSync(folder, UNLESS_MISSING)];
  if (outer === undefined || own === undefined) return undefined;
  const isOurs = own.isDirectory() && own.uid === user && (own.mode & OTHERS_MAY_WRITE) === 0;
  return isOurs && keepsWhatIsIn(outer, user) ? folder : undefined;
}

/** Whether nobody else can rename what this user has in the folder. */
function keepsWhatIsIn({ uid, mode }: Stats, user: number): boolean {
  return (uid === user || uid === 0) && ((mode & OTHERS_MAY_WRITE) === 0 || (mode & STICKY) !== 0);
}
