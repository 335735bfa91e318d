import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailable } from '../transient-errors.ts';
import type { CheckpointReply, CheckpointRequest } from './checkpoint-requests.ts';
import { CheckpointThread } from './checkpoint-worker.ts';
import { LONGEST_LOG_FRAMES } from './wal.ts';

/** Lengths of the log, in frames, each of a page. */
export interface CheckpointBounds {
  /** When it is longer, it is written back. */
  beginAbove: number;
  /** When it is longer, writers wait for that. */
  waitAbove: number;
  /** How long one waits, and how long it may take before further writes are refused; in milliseconds. */
  waitMs: number;
}

export interface CheckpointOptions {
  bounds?: CheckpointBounds;
  /** Milliseconds of any monotonic clock. Left out: the process's. */
  now?: () => number;
  /** Where it is asked; left out: a thread. */
  ask?: (request: Exclude<CheckpointRequest, 'close'>) => Promise<CheckpointReply>;
}

/** It begins at 48 MiB: while these are written back, the log grows on. */
const BOUNDS: CheckpointBounds = { beginAbove: 12_000, waitAbove: LONGEST_LOG_FRAMES, waitMs: 10_000 };

/** Until the next try, after one that could not empty the log since it was read; in milliseconds. */
const PAUSE_MS = 20;

/** After one that failed: on a full disk each try writes much that the next one writes again. */
const FAILED_PAUSE_MS = 1_000;

/** A step that takes longer, because the disk is slow, is not waited for by writers while the log is shorter than it may be. */
const SHORT_STEP_MS = 100;

/**
 * Has the log of SQLite written back into the database file, by a thread of its own: SQLite would do so in the midst of a commit, for
 * which all writers would wait, for tenths of a second.
 */
export class Checkpoints {
  readonly #thread: CheckpointThread;
  readonly #bounds: CheckpointBounds;
  readonly #now: () => number;
  readonly #ask: NonNullable<CheckpointOptions['ask']>;
  /** Frames of the log, at the last commit. */
  #frames = 0;
  #underWay: Promise<void> | undefined;
  #beganAt = 0;
  #notBefore = Number.NEGATIVE_INFINITY;
  /** How long the last step took, if so little is left that the log can begin anew; in milliseconds. */
  #almostIn: number | undefined;
  #failure: string | undefined;

  constructor(file: string, { bounds = BOUNDS, now = () => performance.now(), ask }: CheckpointOptions = {}) {
    this.#thread = new CheckpointThread(file);
    this.#bounds = bounds;
    this.#now = now;
    this.#ask = ask ?? ((request) => this.#thread.ask(request));
  }

  /**
   * To be awaited between two transactions, once the log was found whole: it begins anew while nobody writes.
   *
   * @param frames how many the log has
   */
  async committed(frames: number): Promise<void> {
    this.#frames = frames;
    if (frames <= this.#bounds.beginAbove) return;
    if (!this.#isToBeginAnew) this.#begin('write back');
    if (this.#isLong) await this.#wait();
    if (!this.#isToBeginAnew || this.#underWay !== undefined) return;
    this.#almostIn = undefined;
    this.#begin('begin anew');
    await this.#wait();
  }

  /** @throws DatabaseUnavailable when the log may not grow, and can't be written back */
  checkRoom(): void {
    if (!this.#isLong) return;
    this.check();
    if (this.#underWay === undefined || this.#now() - this.#beganAt <= this.#bounds.waitMs) return;
    throw new DatabaseUnavailable(
      `SQLite's log is long, and writing it into the database file takes longer than ${this.#bounds.waitMs / 1_000} seconds.`,
    );
  }

  /** @throws DatabaseUnavailable when the log could not be written back the last time */
  check(): void {
    if (this.#failure === undefined) return;
    this.#begin('write back');
    const effect = this.#isLong
      ? 'The log is long, so writes are refused until it can.'
      : 'Writes go on until the log is long.';
    throw new DatabaseUnavailable(
      `SQLite can't write its log into the database file (${this.#failure}): its disk is full, or fails. ${effect}`,
    );
  }

  /** Closes its connection, once nothing is written back. */
  async close(): Promise<void> {
    await this.#underWay;
    await this.#thread.close();
  }

  get #isLong(): boolean {
    return this.#frames > this.#bounds.waitAbove;
  }

  get #isToBeginAnew(): boolean {
    return this.#almostIn !== undefined && (this.#isLong || this.#almostIn <= SHORT_STEP_MS);
  }

  async #wait(): Promise<void> {
    if (this.#underWay === undefined) return;
    const bound = new AbortController();
    await Promise.race([this.#underWay, delay(this.#bounds.waitMs, undefined, { signal: bound.signal, ref: false })]);
    bound.abort();
  }

  #begin(request: Exclude<CheckpointRequest, 'close'>): void {
    const isDue = request === 'begin anew' || this.#now() >= this.#notBefore;
    if (!isDue || this.#underWay !== undefined) return;
    this.#beganAt = this.#now();
    this.#underWay = this.#ask(request).then(
      (reply) => this.#learn(reply),
      // No thread can be started: SQLite does it in a commit, once the log has its greatest length.
      () => this.#end(FAILED_PAUSE_MS),
    );
  }

  #learn(reply: CheckpointReply): void {
    if (reply.state === 'failed') this.#failure = reply.reason;
    // Where nothing was to be written, nothing has succeeded.
    else if (reply.state !== 'kept' || reply.hasWritten) this.#failure = undefined;
    this.#almostIn = reply.state === 'almost' ? reply.tookMs : undefined;
    this.#end(reply.state === 'failed' ? FAILED_PAUSE_MS : Math.max(PAUSE_MS, this.#almostIn ?? 0));
  }

  #end(pauseMs: number): void {
    this.#underWay = undefined;
    this.#notBefore = this.#now() + pauseMs;
  }
}
