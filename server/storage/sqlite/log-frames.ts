import { closeSync, openSync, readSync } from 'node:fs';
import { NO_SUMS, sumUp, type Sums } from './log-checksum.ts';
import { type LogIndex, readLogIndex } from './log-index.ts';

// "The WAL File" of SQLite's documentation (sqlite.org/fileformat2.html#walformat): a header of the log, then frames: of a header
// and a page each. Both headers end with, or have after what is summed up, two salts and two sums.
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const SALTS_OF_LOG = 16;
const SALTS_OF_FRAME = 8;
const SALTS_AND_SUMS_BYTES = 16;

/** How much of a frame's header is summed up. */
const SUMMED_UP_BYTES = 8;

/** How much one look reads at most: it takes less than a millisecond. */
const LOOK_BYTES = 1_048_576;

/** How often a log has to seem cut, one look right after the other: another process may begin it anew just then. */
const LOOKS = 5;

/** `partly`: what was looked at is whole, and there is more. `unknown`: its index says nothing now. */
export type LogState = 'whole' | 'partly' | 'cut' | 'unknown';

/** A place between two frames. */
interface Place {
  /** How many are before it. */
  frames: number;
  salts: readonly [number, number];
  /** Of all that is before it. */
  sums: Sums;
}

/**
 * Looks whether what was committed is in the log. Its size does not tell: what is written after a cut makes the file as long as
 * before, with zeros in between. But a cut takes all up to the end, so the frame that was the last one at the look before is gone too,
 * or else only frames that were written since. These are what a look sums up, as SQLite does when it recovers a log.
 */
export class LogFrames {
  readonly #log: string;
  readonly #index: string;
  /**
   * Kept open: they can be looked at also when no more files can be opened, and to close one would give up the locks that SQLite
   * has on it.
   */
  #descriptors: { log: number; index: number } | undefined;
  #frames = 0;
  /** Before the last frame that was looked at. */
  #place: Place | undefined;
  readonly #bytes = Buffer.alloc(LOOK_BYTES);
  readonly #words = new Int32Array(this.#bytes.buffer, this.#bytes.byteOffset, LOOK_BYTES / 4);
  readonly #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset);

  constructor(log: string, index: string) {
    this.#log = log;
    this.#index = index;
  }

  /** How many there were at the last look. */
  get frames(): number {
    return this.#frames;
  }

  look(): LogState {
    let state: LogState = 'unknown';
    for (let looks = 0; looks < LOOKS; looks += 1) {
      state = this.#lookOnce();
      if (state === 'whole' || state === 'partly') break;
    }
    return state;
  }

  close(): void {
    if (this.#descriptors === undefined) return;
    closeSync(this.#descriptors.log);
    closeSync(this.#descriptors.index);
    this.#descriptors = undefined;
  }

  /** Whoever begins the log anew says so in the index before the log is changed, and once all of it is in the database file. */
  #lookOnce(): LogState {
    this.#descriptors ??= { log: openSync(this.#log, 'r'), index: openSync(this.#index, 'r') };
    const { log, index: descriptor } = this.#descriptors;
    const index = readLogIndex(descriptor);
    if (index === undefined) return 'unknown';
    this.#frames = index.frames;
    if (index.frames === 0) {
      this.#place = { frames: 0, salts: index.salts, sums: NO_SUMS };
      return 'whole';
    }
    const begin = this.#begin(log, index);
    const frames = Math.min(index.frames - begin.frames, Math.floor(LOOK_BYTES / frameBytes(index)));
    const place = frames > 0 ? this.#follow(log, index, begin, frames) : undefined;
    if (place === undefined) return 'cut';
    this.#place = place;
    return place.frames + 1 === index.frames ? 'whole' : 'partly';
  }

  /** Where to begin: before the frame that was the last one, in a log that has begun anew since then at its beginning. */
  #begin(log: number, index: LogIndex): Place {
    const place = this.#place;
    if (place === undefined) return readPlace(log, index, index.frames - 1);
    return place.frames > 0 && isSame(place.salts, index.salts) ? place : readPlace(log, index, 0);
  }

  /** @returns the place before the last of so many frames; undefined where one of them is not what was written */
  #follow(log: number, index: LogIndex, begin: Place, count: number): Place | undefined {
    const each = frameBytes(index);
    const { salts, isNative } = index;
    const bytes = readSync(log, this.#bytes, 0, count * each, frameOffset(index, begin.frames));
    if (bytes < count * each || !isSame(begin.salts, salts)) return undefined;
    if (!isNative) this.#bytes.subarray(0, bytes).swap32();
    let before = begin.sums;
    let { sums } = begin;
    for (let at = 0; at < bytes; at += each) {
      before = sums;
      sums = sumUp(this.#words, at, at + SUMMED_UP_BYTES, sums);
      sums = sumUp(this.#words, at + FRAME_HEADER_BYTES, at + each, sums);
      const found = readSaltsAndSums(this.#view, at + SALTS_OF_FRAME, !isNative);
      if (!isSame(found.salts, salts) || !isSame(found.sums, sums)) return undefined;
    }
    return { frames: begin.frames + count - 1, salts, sums: before };
  }
}

const frameBytes = (index: LogIndex) => FRAME_HEADER_BYTES + index.pageBytes;

const frameOffset = (index: LogIndex, frames: number) => LOG_HEADER_BYTES + frames * frameBytes(index);

const isSame = (some: readonly [number, number], others: readonly [number, number]) =>
  some[0] === others[0] && some[1] === others[1];

/** As the log itself says, which has zeros where it is cut. */
function readPlace(log: number, index: LogIndex, frames: number): Place {
  const view = new DataView(new ArrayBuffer(SALTS_AND_SUMS_BYTES));
  const offset = frames === 0 ? SALTS_OF_LOG : frameOffset(index, frames - 1) + SALTS_OF_FRAME;
  readSync(log, view, 0, SALTS_AND_SUMS_BYTES, offset);
  return { frames, ...readSaltsAndSums(view, 0) };
}

/** The most significant byte is the first one in every log, and the last one where the words were swapped. */
function readSaltsAndSums(view: DataView, at: number, isSwapped = false): Pick<Place, 'salts' | 'sums'> {
  return {
    salts: [view.getUint32(at, isSwapped), view.getUint32(at + 4, isSwapped)],
    sums: [view.getUint32(at + 8, isSwapped), view.getUint32(at + 12, isSwapped)],
  };
}
