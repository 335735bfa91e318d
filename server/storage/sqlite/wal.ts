import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '../transient-errors.ts';
import { sizeOf } from './file-size.ts';

const MEBIBYTE = 1_048_576;

/** What the file of the write-ahead log keeps when it begins anew. */
export const KEPT_WAL_BYTES = 64 * MEBIBYTE;

export interface WalBounds {
  /** When the log is longer, further snapshots wait. */
  waitAboveBytes: number;
  /** For so long; in milliseconds. */
  waitMs: number;
  /** Those of a holder that has none wait so much shorter, and are then taken beside the others; in milliseconds. */
  firstWaitMs: number;
  /** When the log is longer, those who write much rest, for whoever reads a snapshot. */
  paceAboveBytes: number;
  /** When the log is longer, the snapshots that are read are ended. */
  endAboveBytes: number;
}

const BOUNDS: WalBounds = {
  waitAboveBytes: 128 * MEBIBYTE,
  waitMs: 10_000,
  firstWaitMs: 500,
  paceAboveBytes: KEPT_WAL_BYTES,
  endAboveBytes: 256 * MEBIBYTE,
};

/** What it grows to at most, but for one transaction. */
export const LONGEST_WAL_BYTES = 320 * MEBIBYTE;

/** The same in pages of 4 KiB. When it has more, writers wait until it is written back. */
export const LONGEST_LOG_FRAMES = LONGEST_WAL_BYTES / 4_096;

const LOOK_EVERY_MS = 100;

/** When no snapshot was read for so long and the log is still long, then because nothing is written. */
const CALM_MS = 5_000;

interface Reader {
  holder: string;
  /** How long the log was when it began to read: what it grew by before is not to its account. */
  beganAt: number;
  end: (reason: Error) => void;
}

/**
 * Keeps the write-ahead log of SQLite short. It can begin anew only at a moment at which no snapshot reads from it, so snapshots
 * that overlap without end would let it grow without end, as would one that is never read to its end.
 */
export class WalGuard {
  readonly #log: string;
  readonly #bounds: WalBounds;
  readonly #readers = new Set<Reader>();
  #timer: NodeJS.Timeout | undefined;
  #calmSince = Number.NEGATIVE_INFINITY;

  /** @param file the database */
  constructor(file: string, bounds: WalBounds = BOUNDS) {
    this.#log = `${file}-wal`;
    this.#bounds = bounds;
  }

  /**
   * Waits until a snapshot may be taken. Nobody can keep others from exporting by holding a long log: who has no snapshot waits but a
   * moment, unless the log is so long that all that are read are being ended.
   *
   * @throws Unavailable when the log has not become short meanwhile
   */
  async admit(holder: string): Promise<void> {
    const began = performance.now();
    const waited = () => performance.now() - began;
    while (this.#isTooLong(holder, waited()) && !this.#isCalm()) {
      if (waited() > this.#bounds.waitMs) {
        throw new Unavailable('The write-ahead log is long because of other exports.');
      }
      await delay(LOOK_EVERY_MS, undefined, { ref: false });
    }
  }

  #isTooLong(holder: string, waitedMs: number): boolean {
    const { waitAboveBytes, endAboveBytes, firstWaitMs } = this.#bounds;
    const isFirst = ![...this.#readers].some((reader) => reader.holder === holder);
    return this.#bytes() > (isFirst && waitedMs >= firstWaitMs ? endAboveBytes : waitAboveBytes);
  }

  /**
   * Watches the log while a snapshot is read.
   *
   * @param end frees the snapshot at once, wherever its reader is; called once at most
   * @returns to be called when it is freed, also in that way
   */
  watch(holder: string, end: (reason: Error) => void): () => void {
    const reader = { holder, beganAt: this.#bytes(), end };
    this.#readers.add(reader);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return () => this.#forget(reader);
  }

  #forget(reader: Reader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#calmSince = performance.now();
  }

  #look(): void {
    const bytes = this.#bytes();
    if (bytes <= this.#bounds.endAboveBytes) return;
    // All of them: each that stayed would keep the log from beginning anew.
    for (const reader of this.#readers) {
      if (bytes <= reader.beganAt) continue;
      // Its reader may be slow to notice, and the log stay long until the next look.
      this.#forget(reader);
      reader.end(new Unavailable(`A snapshot was ended: the write-ahead log had grown to ${bytes} bytes.`));
    }
  }

  /** Whether what a holder writes keeps the log of a snapshot growing that another one reads, towards the length at which it is ended. */
  isPressed(holder: string): boolean {
    const isReadByAnother = [...this.#readers].some((reader) => reader.holder !== holder);
    return isReadByAnother && this.#bytes() > this.#bounds.paceAboveBytes;
  }

  #isCalm(): boolean {
    return this.#readers.size === 0 && performance.now() - this.#calmSince > CALM_MS;
  }

  #bytes(): number {
    return sizeOf(this.#log);
  }
}
