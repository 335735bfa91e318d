import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { resolveLinks } from './resolve-links.ts';

/** File systems that need free room also to change what a file holds, by the numbers that statfs gives them. */
const NAMES = new Map([
  [0x91_23_68_3e, 'btrfs'],
  [0xca_45_1a_4e, 'bcachefs'],
]);

/**
 * A sentence on a database in such a file system; undefined for any other. SQLite has the index of its log in mapped memory, and where no room
 * is left for a changed page of that, the system ends the process by SIGBUS.
 *
 * @param typeOf - The number of the file system of a folder.
 */
export function describeCopyOnWrite(
  database: string,
  typeOf: (folder: string) => number = fileSystemOf,
): string | undefined {
  const name = NAMES.get(typeOf(dirname(resolveLinks(database))) >>> 0);
  if (name === undefined) return undefined;
  return `The database is on ${name}. When that disk is full, the system may end this server in the midst of its work (SIGBUS). Better put it on ext4 or XFS.`;
}

function fileSystemOf(folder: string): number {
  return statfsSync(folder).type;
}
