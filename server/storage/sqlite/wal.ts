import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '../transient-errors.ts';
import { sizeOf } from './file-size.ts';
import { LogPace, PacedReader } from './log-pace.ts';

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
  /** When the log is longer, what it grows by is paced for the snapshots that are read. */
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

class Reader extends PacedReader {
  /** How long the log was when it began to read: what it grew by before is not to its account. */
  readonly beganAt: number;
  readonly end: (reason: Error) => void;

  constructor(holder: string, beganAt: number, end: (reason: Error) => void) {
    super(holder);
    this.beganAt = beganAt;
    this.end = end;
  }
}

/** A snapshot that is watched. */
export interface WatchedSnapshot {
  /** To be called when rows were given, and when more are asked for. */
  setAway: (isAway: boolean) => void;
  /** To be called when it is freed, also where it was ended. */
  forget: () => void;
}

/**
 * Keeps the write-ahead log of SQLite short. It can begin anew only at a moment at which no snapshot reads from it, so snapshots
 * that overlap without end would let it grow without end, as would one that is never read to its end.
 */
export class WalGuard {
  readonly #log: string;
  readonly #bounds: WalBounds;
  readonly #pace: LogPace;
  readonly #readers = new Set<Reader>();
  #timer: NodeJS.Timeout | undefined;
  #calmSince = Number.NEGATIVE_INFINITY;

  /** @param file the database */
  constructor(file: string, bounds: WalBounds = BOUNDS, pace = new LogPace()) {
    this.#pace = pace;
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
   */
  watch(holder: string, end: (reason: Error) => void): WatchedSnapshot {
    const reader = new Reader(holder, this.#bytes(), end);
    this.#readers.add(reader);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return { setAway: (isAway) => this.#pace.setAway(reader, isAway), forget: () => this.#forget(reader) };
  }

  #forget(reader: Reader): void {
    if (!this.#readers.delete(reader)) return;
    this.#pace.end(reader);
    if (this.#readers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#calmSince = performance.now();
  }

  #look(): void {
    const bytes = this.#bytes();
    if (bytes > this.#bounds.paceAboveBytes) this.#pace.count(this.#readers, LOOK_EVERY_MS);
    if (bytes <= this.#bounds.endAboveBytes) return;
    // All of them: each that stayed would keep the log from beginning anew.
    for (const reader of this.#readers) {
      if (bytes <= reader.beganAt) continue;
      // Its reader may be slow to notice, and the log stay long until the next look.
      this.#forget(reader);
      reader.end(new Unavailable(`A snapshot was ended: the write-ahead log had grown to ${bytes} bytes.`));
    }
  }

  /** Waited for by who has much to write, after each transaction: longer while what is written would have snapshots of others ended. */
  async restAfterWrite(holder: string): Promise<void> {
    await this.#pace.rest(holder, this.#bytes(), this.#readers);
  }

  /** Waits, before {@link admit}, for as long as a holder leaves to others for whom they rested. */
  async leaveToOthers(holder: string): Promise<void> {
    await this.#pace.leaveToOthers(holder);
  }

  #isCalm(): boolean {
    return this.#readers.size === 0 && performance.now() - this.#calmSince > CALM_MS;
  }

  #bytes(): number {
    return sizeOf(this.#log);
  }
}
