import { setTimeout as delay } from 'node:timers/promises';

const MEBIBYTE = 1_048_576;

export interface PaceBounds {
  /** How long the log may be, in bytes, when a snapshot begins to be read beside a long one … */
  fromBytes: number;
  /** … and by how much longer with each millisecond. */
  bytesPerMs: number;
  /** For how long that is seen to, for one snapshot; in milliseconds. */
  mostForOneMs: number;
  /** For how long others rest for all snapshots together, in milliseconds, before they rest no more: half of the time that passes is forgotten. */
  mostForAllMs: number;
  /** How long somebody rests after a transaction at most, in milliseconds. */
  longestRestMs: number;
  /** A snapshot whose rows nobody has asked for in so long, in milliseconds, waits for its own client: nobody rests for it. */
  mostAwayMs: number;
  /** A holder waits so many times as long as others rested for its snapshot before it reads another one … */
  waitsTimes: number;
  /** … but no longer than this, in milliseconds. */
  longestWaitMs: number;
}

/** In eight seconds the log comes to 256 MiB, at which snapshots are ended. */
const BOUNDS: PaceBounds = {
  fromBytes: 128 * MEBIBYTE,
  bytesPerMs: (16 * MEBIBYTE) / 1_000,
  mostForOneMs: 8_000,
  mostForAllMs: 8_000,
  longestRestMs: 1_000,
  mostAwayMs: 500,
  waitsTimes: 3,
  longestWaitMs: 8_000,
};

/** How much of the time that passes is forgotten of that for which others rested. */
const FORGOTTEN = 0.5;

/** A snapshot that is read. */
export class PacedReader {
  readonly holder: string;
  /** For how long it has been read beside a long log, in milliseconds. */
  readForMs = 0;
  /** For how long others have rested for it, in milliseconds. */
  restedForMs = 0;
  /** Since when nobody has asked for its next rows, by the clock of the pace. */
  awaySince: number | undefined;

  constructor(holder: string) {
    this.holder = holder;
  }
}

/** Injected by tests. */
export interface PaceClock {
  /** Milliseconds of a clock that only goes forward. */
  now: () => number;
  wait: (milliseconds: number) => Promise<void>;
}

const SYSTEM: PaceClock = {
  now: () => performance.now(),
  wait: (milliseconds) => delay(milliseconds, undefined, { ref: false }),
};

/**
 * Has those who write much rest while others read snapshots, which keep the log from beginning anew: otherwise one who writes would have
 * every snapshot ended that takes seconds to read. Whoever writes little rests for next to nothing.
 *
 * Nor may those who read keep others from writing: they rest for a bounded time for each snapshot, after which its holder leaves them
 * three times as long before its next one, and for half of the time for all snapshots.
 */
export class LogPace {
  readonly #bounds: PaceBounds;
  readonly #clock: PaceClock;
  /** A holder rests once at a time. */
  readonly #resting = new Set<string>();
  /** When whoever others rested for may read again. */
  readonly #readsAgainAt = new Map<string, number>();
  /** How long the log was after the last transaction. */
  #bytes = 0;
  #spentMs = 0;
  #spentAt = 0;
  #isSpent = false;

  constructor(bounds: PaceBounds = BOUNDS, clock: PaceClock = SYSTEM) {
    this.#bounds = bounds;
    this.#clock = clock;
  }

  /**
   * To be awaited after each transaction of a holder.
   *
   * @param bytes how long the log is
   */
  async rest(holder: string, bytes: number, readers: Iterable<PacedReader>): Promise<void> {
    const written = bytes - this.#bytes;
    this.#bytes = bytes;
    this.#forgetPassed();
    const tooMany = Math.min(written, bytes - this.#allowedFor(holder, readers));
    if (tooMany <= 0 || this.#isSpent) return;
    this.#resting.add(holder);
    // Each has an equal part.
    const milliseconds = (tooMany * this.#resting.size) / this.#bounds.bytesPerMs;
    await this.#clock.wait(Math.min(milliseconds, this.#bounds.longestRestMs));
    this.#resting.delete(holder);
  }

  /** How long the log may be now, that the snapshots of others come to their end. */
  #allowedFor(holder: string, readers: Iterable<PacedReader>): number {
    const { fromBytes, bytesPerMs, mostForOneMs, mostAwayMs } = this.#bounds;
    const now = this.#clock.now();
    let allowed = Number.POSITIVE_INFINITY;
    for (const reader of readers) {
      const isAway = reader.awaySince !== undefined && now - reader.awaySince > mostAwayMs;
      if (reader.holder === holder || isAway || reader.readForMs >= mostForOneMs) continue;
      allowed = Math.min(allowed, fromBytes + reader.readForMs * bytesPerMs);
    }
    return allowed;
  }

  /** To be called so many milliseconds apart while snapshots are read beside a long log. */
  count(readers: Iterable<PacedReader>, milliseconds: number): void {
    this.#forgetPassed();
    for (const reader of readers) {
      reader.readForMs += milliseconds;
      if (this.#restAnyFor(reader)) reader.restedForMs += milliseconds;
    }
    if (this.#resting.size === 0) return;
    this.#spentMs += milliseconds;
    this.#isSpent ||= this.#spentMs >= this.#bounds.mostForAllMs;
  }

  #restAnyFor({ holder }: PacedReader): boolean {
    return this.#resting.size > (this.#resting.has(holder) ? 1 : 0);
  }

  #forgetPassed(): void {
    const now = this.#clock.now();
    this.#spentMs = Math.max(0, this.#spentMs - (now - this.#spentAt) * FORGOTTEN);
    this.#spentAt = now;
    if (this.#spentMs === 0) this.#isSpent = false;
  }

  /** To be called when a snapshot is freed. */
  end({ holder, restedForMs }: PacedReader): void {
    const now = this.#clock.now();
    for (const [other, at] of this.#readsAgainAt) if (at <= now) this.#readsAgainAt.delete(other);
    const at = now + Math.min(restedForMs * this.#bounds.waitsTimes, this.#bounds.longestWaitMs);
    this.#readsAgainAt.set(holder, Math.max(at, this.#readsAgainAt.get(holder) ?? 0));
  }

  /** To be called when rows were given, and when more are asked for. */
  setAway(reader: PacedReader, isAway: boolean): void {
    reader.awaySince = isAway ? this.#clock.now() : undefined;
  }

  /** To be awaited before a holder takes a place among those who read snapshots. */
  async leaveToOthers(holder: string): Promise<void> {
    const milliseconds = (this.#readsAgainAt.get(holder) ?? 0) - this.#clock.now();
    if (milliseconds > 0) await this.#clock.wait(milliseconds);
  }
}
