import { lstatSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

const OTHERS_MAY_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * Has Node keep compiled what this process loads from now on, and its threads and the programs that it starts: in the folder that
 * `NODE_COMPILE_CACHE` names, or else in one of this user below the folder for temporary files.
 *
 * Whoever may write there can have any code run by us, and Node's own folder belongs to whichever user of the machine makes it first.
 * Where there is none that is safe from others, nothing is kept.
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

/** Makes it where it is not there. Returns undefined if another user could put something in its place, or in that of a folder above it. */
function findOwnFolder(): string | undefined {
  const user = process.getuid?.();
  // On Windows each user has a folder for temporary files.
  if (user === undefined) return join(tmpdir(), 'branchline-compiled');
  try {
    // Without the links in its path, which another user could lead elsewhere later.
    const parent = realpathSync(tmpdir());
    const folder = join(parent, `branchline-compiled-${user}`);
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const own = lstatSync(folder);
    const isOurs = own.isDirectory() && own.uid === user && (own.mode & OTHERS_MAY_WRITE) === 0;
    return isOurs && pathTo(folder).every((above) => keepsWhatIsIn(statSync(above), user)) ? folder : undefined;
  } catch {
    // There is no folder for temporary files, or it can't be written or searched.
    return undefined;
  }
}

/** The folders above one, up to the root. */
function pathTo(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...pathTo(above)];
}

/** Whether nobody else can rename what this user has in the folder. */
function keepsWhatIsIn({ uid, mode }: Stats, user: number): boolean {
  return (uid === user || uid === 0) && ((mode & OTHERS_MAY_WRITE) === 0 || (mode & STICKY) !== 0);
}
