import { readSync } from 'node:fs';
import { endianness } from 'node:os';
import { pageBytes } from './database-header.ts';
import { NO_SUMS, sumUp } from './log-checksum.ts';

// "WAL-Index Format" of SQLite's documentation (sqlite.org/walformat.html): in the order of the machine's bytes, but for the salts.
const HEADER_BYTES = 48;
const IS_INITIALIZED = 12;
const IS_BIG_ENDIAN = 13;
const PAGE_BYTES = 14;
const FRAMES = 16;
const SALTS = 32;
const SUMS = 40;

const IS_LITTLE = endianness() === 'LE';

/** What the index says of the log: of transactions that were committed. */
export interface LogIndex {
  frames: number;
  pageBytes: number;
  /** Others whenever the log begins anew. */
  salts: readonly [number, number];
  /** Whether the log is summed up in the order of the machine's bytes. */
  isNative: boolean;
}

/**
 * @param index a descriptor of the file `-shm`
 * @returns undefined where it says nothing: before the log is first used, and while it is written
 */
export function readLogIndex(index: number): LogIndex | undefined {
  // There twice: whoever writes it begins with the second.
  const both = Buffer.alloc(2 * HEADER_BYTES);
  if (readSync(index, both, 0, both.length, 0) < both.length) return undefined;
  if (!both.subarray(0, HEADER_BYTES).equals(both.subarray(HEADER_BYTES))) return undefined;
  const header = new DataView(both.buffer, both.byteOffset, HEADER_BYTES);
  const [sum, secondSum] = sumUp(new Int32Array(both.buffer, both.byteOffset, SUMS / 4), 0, SUMS, NO_SUMS);
  const isValid = sum === header.getUint32(SUMS, IS_LITTLE) && secondSum === header.getUint32(SUMS + 4, IS_LITTLE);
  if (!isValid || header.getUint8(IS_INITIALIZED) === 0) return undefined;
  return {
    frames: header.getUint32(FRAMES, IS_LITTLE),
    pageBytes: pageBytes(header.getUint16(PAGE_BYTES, IS_LITTLE)),
    salts: [header.getUint32(SALTS), header.getUint32(SALTS + 4)],
    isNative: (header.getUint8(IS_BIG_ENDIAN) === 0) === IS_LITTLE,
  };
}
