import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { resolveLinks } from './resolve-links.ts';

/** File systems that need free room also to change what a file holds, by the numbers that statfs gives them. */
const COPYING = new Map([
  [0x91_23_68_3e, 'btrfs'],
  [0xca_45_1a_4e, 'bcachefs'],
]);

/** SQLite makes the index of its log longer by one byte in each page of this size, and trusts that the page is there then. */
const PAGE_BYTES = 4_096;

/** What statfs says of a file system: its number, and the size of its blocks in bytes. */
type FileSystem = Record<'type' | 'bsize', number>;

/**
 * A sentence on a database in a file system where a full disk ends the server; undefined for any other. SQLite has the index of its log in
 * mapped memory, and where the disk has no room for a page of that, the system ends the process by SIGBUS.
 *
 * @param lookAt - Looks at the file system of a folder.
 */
export function describeUnsafeFileSystem(
  database: string,
  lookAt: (folder: string) => FileSystem = (folder) => statfsSync(folder),
): string | undefined {
  const { type, bsize } = lookAt(dirname(resolveLinks(database)));
  const name = COPYING.get(type >>> 0);
  if (name === undefined && bsize >= PAGE_BYTES) return undefined;
  const where = name ?? `a file system with blocks of ${bsize} bytes`;
  return `The database is on ${where}. When that disk is full, the system may end this server in the midst of its work (SIGBUS). Better put it on ext4 or XFS with blocks of 4 KiB.`;
}
