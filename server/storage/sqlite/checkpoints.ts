import { Worker } from 'node:worker_threads';
import { THREAD_OPTIONS } from '../../thread-options.ts';
import { startThread } from '../../threads.ts';
import { LONGEST_LOG_FRAMES } from './wal.ts';

export type CheckpointRequest = 'write back' | 'close';

export type CheckpointReply = 'tried';

/** Lengths of the log, in frames, each of a page. */
export interface CheckpointBounds {
  /** When it is longer, it is written back. */
  beginAbove: number;
  /** When it is longer, writers wait until that has been tried. */
  waitAbove: number;
}

/** 48 MiB: while they are written back, the log grows on. */
const BEGIN_ABOVE = 12_000;

/** After one that has not emptied the log, since it was read: in milliseconds. */
const PAUSE_MS = 20;

/**
 * Has the log of SQLite written back into the database file, by a thread of its own: SQLite would do so in the midst of a commit, for
 * which all writers would wait, for tenths of a second.
 */
export class Checkpoints {
  readonly #file: string;
  readonly #bounds: CheckpointBounds;
  #thread: CheckpointThread | undefined;
  #underWay: Promise<void> | undefined;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(file: string, bounds: CheckpointBounds = { beginAbove: BEGIN_ABOVE, waitAbove: LONGEST_LOG_FRAMES }) {
    this.#file = file;
    this.#bounds = bounds;
  }

  /**
   * To be awaited between two transactions, once the log was found whole.
   *
   * @param frames how many the log has
   */
  async committed(frames: number): Promise<void> {
    if (frames <= this.#bounds.beginAbove) return;
    const mustWait = frames > this.#bounds.waitAbove;
    if (mustWait || performance.now() - this.#endedAt >= PAUSE_MS) this.#begin();
    if (mustWait) await this.#underWay;
  }

  /** Closes its connection, once nothing is written back. */
  async close(): Promise<void> {
    await this.#underWay;
    await this.#thread?.close();
  }

  #begin(): void {
    this.#underWay ??= this.#writeBack().finally(() => {
      this.#underWay = undefined;
      this.#endedAt = performance.now();
    });
  }

  /** Where no thread can be started, SQLite does it in a commit, once the log has its greatest length. */
  async #writeBack(): Promise<void> {
    try {
      if (this.#thread === undefined || this.#thread.hasEnded) this.#thread = new CheckpointThread(this.#file);
      await this.#thread.ask();
    } catch {
      // It is tried again at one of the next commits.
    }
  }
}

class CheckpointThread {
  readonly #worker: Worker;
  #asked: PromiseWithResolvers<void> | undefined;
  hasEnded = false;

  constructor(file: string) {
    this.#worker = startThread<CheckpointReply>({
      what: 'that writes the log back',
      make: () =>
        new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { ...THREAD_OPTIONS, workerData: file }),
      answered: () => {
        // It keeps the process running only while an answer is awaited.
        this.#worker.unref();
        this.#asked?.resolve();
      },
      ended: (failure) => {
        this.hasEnded = true;
        this.#asked?.reject(failure);
      },
    });
  }

  ask(): Promise<void> {
    this.#asked = Promise.withResolvers();
    this.#worker.ref();
    this.#worker.postMessage('write back' satisfies CheckpointRequest);
    return this.#asked.promise;
  }

  async close(): Promise<void> {
    if (this.hasEnded) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#worker.once('exit', () => resolve());
    this.#worker.ref();
    this.#worker.postMessage('close' satisfies CheckpointRequest);
    await promise;
  }
}
