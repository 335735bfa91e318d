import { Worker } from 'node:worker_threads';
import { THREAD_OPTIONS } from '../../thread-options.ts';
import { startThread } from '../../threads.ts';
import { LONGEST_LOG_FRAMES } from './wal.ts';

export type CheckpointRequest = 'write back' | 'close';

/** `failed`: SQLite had an error. */
export type CheckpointReply = 'tried' | 'failed';

/** Lengths of the log, in frames, each of a page. */
export interface CheckpointBounds {
  /** When it is longer, it is written back. */
  beginAbove: number;
  /** When it is longer, writers wait until that has been tried. */
  waitAbove: number;
}

/** 48 MiB: while they are written back, the log grows on. */
const BEGIN_ABOVE = 12_000;

const BOUNDS: CheckpointBounds = { beginAbove: BEGIN_ABOVE, waitAbove: LONGEST_LOG_FRAMES };

export interface CheckpointOptions {
  bounds?: CheckpointBounds;
  now?: () => number;
}

/** Until the next try, after one that could not empty the log since it was read; in milliseconds. */
const PAUSE_MS = 20;

/** After one that failed: on a full disk each try writes much that the next one writes again. */
const FAILED_PAUSE_MS = 1_000;

/**
 * Has the log of SQLite written back into the database file, by a thread of its own: SQLite would do so in the midst of a commit, for
 * which all writers would wait, for tenths of a second.
 */
export class Checkpoints {
  readonly #file: string;
  readonly #bounds: CheckpointBounds;
  #thread: CheckpointThread | undefined;
  readonly #now: () => number;
  #underWay: Promise<void> | undefined;
  #notBefore = Number.NEGATIVE_INFINITY;

  /** @param options `now` gives milliseconds of any monotonic clock; left out: the process's */
  constructor(file: string, { bounds = BOUNDS, now = () => performance.now() }: CheckpointOptions = {}) {
    this.#file = file;
    this.#bounds = bounds;
    this.#now = now;
  }

  /**
   * To be awaited between two transactions, once the log was found whole.
   *
   * @param frames how many the log has
   */
  async committed(frames: number): Promise<void> {
    if (frames <= this.#bounds.beginAbove) return;
    if (this.#now() >= this.#notBefore) this.#begin();
    if (frames > this.#bounds.waitAbove) await this.#underWay;
  }

  /** Closes its connection, once nothing is written back. */
  async close(): Promise<void> {
    await this.#underWay;
    await this.#thread?.close();
  }

  #begin(): void {
    this.#underWay ??= this.#writeBack().then((reply) => {
      this.#underWay = undefined;
      this.#notBefore = this.#now() + (reply === 'failed' ? FAILED_PAUSE_MS : PAUSE_MS);
    });
  }

  /** Where no thread can be started, SQLite does it in a commit, once the log has its greatest length. */
  async #writeBack(): Promise<CheckpointReply> {
    try {
      if (this.#thread === undefined || this.#thread.hasEnded) this.#thread = new CheckpointThread(this.#file);
      return await this.#thread.ask();
    } catch {
      return 'failed';
    }
  }
}

class CheckpointThread {
  readonly #worker: Worker;
  #asked: PromiseWithResolvers<CheckpointReply> | undefined;
  hasEnded = false;

  constructor(file: string) {
    this.#worker = startThread<CheckpointReply>({
      what: 'that writes the log back',
      make: () =>
        new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { ...THREAD_OPTIONS, workerData: file }),
      answered: (reply) => {
        // It keeps the process running only while an answer is awaited.
        this.#worker.unref();
        this.#asked?.resolve(reply);
      },
      ended: (failure) => {
        this.hasEnded = true;
        this.#asked?.reject(failure);
      },
    });
  }

  ask(): Promise<CheckpointReply> {
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
