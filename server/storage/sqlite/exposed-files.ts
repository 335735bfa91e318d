import { type Stats, statSync } from 'node:fs';
import { resolveLinks } from './resolve-links.ts';

/** What a database is made of, and what lies beside it and is as secret. */
const SECRET = ['', '-wal', '-shm', '-wal.lost', '.key', '.tls.pem'];

/** What users other than the owner and its group may do with a file. */
const OTHERS = 0o007;

/**
 * A sentence on the files of a database that any user of this machine may open, as copies often are; undefined where there are
 * none. What the server makes itself is for its owner only.
 */
export function describeExposedFiles(database: string): string | undefined {
  // There files have no such modes.
  if (process.platform === 'win32') return undefined;
  const files = SECRET.map((suffix) => resolveLinks(database) + suffix).filter(isExposed);
  if (files.length === 0) return undefined;
  return `Other users of this machine may open ${files.join(', ')}, in which e-mails and secrets are. Keep them out: chmod 600 ${files.join(' ')}`;
}

function isExposed(file: string): boolean {
  const found = lookAt(file);
  return found?.isFile() === true && (found.mode & OTHERS) !== 0;
}

/** Who reads the file tells of it where it can't be looked at. */
function lookAt(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
