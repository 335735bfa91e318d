import { readSync } from 'node:fs';
import { endianness } from 'node:os';
import { pageBytes } from './database-header.ts';

// "WAL-Index Format" of SQLite's documentation (sqlite.org/walformat.html): in the order of the machine's bytes.
const HEADER_BYTES = 48;
const IS_INITIALIZED = 12;
const PAGE_BYTES = 14;
const FRAMES = 16;

/** A header of the log, and one of each page in it. */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * How many bytes the log has at least, by its index: of transactions that were committed, and are not known to be in the database file
 * as a whole. Zero where that is unknown.
 *
 * @param index a descriptor of the file `-shm`
 */
export function readLogBytes(index: number): number {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  if (readSync(index, header, 0, HEADER_BYTES, 0) < HEADER_BYTES || header.getUint8(IS_INITIALIZED) === 0) return 0;
  const isLittle = endianness() === 'LE';
  const frames = header.getUint32(FRAMES, isLittle);
  const frameBytes = FRAME_HEADER_BYTES + pageBytes(header.getUint16(PAGE_BYTES, isLittle));
  return frames === 0 ? 0 : LOG_HEADER_BYTES + frames * frameBytes;
}
