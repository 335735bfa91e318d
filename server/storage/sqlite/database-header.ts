import { readSync } from 'node:fs';

// "The Database Header" of SQLite's documentation (sqlite.org/fileformat2.html).
const HEADER_BYTES = 32;
const PAGE_BYTES = 16;
const PAGES = 28;

const SMALLEST_PAGE = 512;

/** What stands for pages of 64 KiB, which 16 bits can't say. */
const LARGEST_PAGE = 1;

/**
 * How many bytes a database file has at least, as it says itself; those of one page where it is too short to say.
 *
 * @param file a descriptor of it
 */
export function readDatabaseBytes(file: number): number {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return SMALLEST_PAGE;
  return header.readUInt32BE(PAGES) * pageBytes(header.readUInt16BE(PAGE_BYTES));
}

/** @param written the size of a page as SQLite writes it in 16 bits */
export function pageBytes(written: number): number {
  return written === LARGEST_PAGE ? 65_536 : written;
}
