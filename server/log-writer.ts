import { setTimeout as delay } from 'node:timers/promises';

export interface LogWriterOptions {
  /** Writes some of the bytes immediately and returns their number, or throws. */
  write: (bytes: Uint8Array) => number;
  onDrop: () => void;
  /** Called with the number of dropped lines, once all others are written. */
  onRecovery: (dropped: number) => void;
}

/** The maximum that waits, in characters; above it, new lines are dropped. */
export const MAX_WAITING = 1_048_576;

const RETRY_MS = 20;
const MAX_END_MS = 1_000;

/**
 * Writes the log lines of one turn of the event loop together. Lines that can't be written (a full disk, a pipe that nobody reads)
 * wait in memory, within a bound.
 */
export class LogWriter {
  readonly #options: LogWriterOptions;
  /** Not yet attempted. */
  #lines = '';
  /** Attempted, but not yet accepted. */
  #rest = Buffer.alloc(0);
  #dropped = 0;
  #scheduled = false;

  constructor(options: LogWriterOptions) {
    this.#options = options;
  }

  write(line: string): void {
    if (this.#rest.length + this.#lines.length + line.length > MAX_WAITING) {
      this.#dropped += 1;
      this.#options.onDrop();
      return;
    }
    this.#lines += line;
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#flushOrRetry());
  }

  /** @returns 'busy' if a reader has to make room first, 'failed' if writing is currently impossible */
  flush(): 'done' | 'busy' | 'failed' {
    try {
      while (this.#rest.length + this.#lines.length > 0) {
        if (this.#rest.length === 0) this.#takeLines();
        const written = this.#options.write(this.#rest);
        if (written === 0) return 'busy';
        this.#rest = this.#rest.subarray(written);
      }
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 'busy' : 'failed';
    }
    if (this.#dropped === 0) return 'done';
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#options.onRecovery(dropped);
    return this.flush();
  }

  /** Waits until everything is written, unless that is impossible or takes too long. */
  async end(): Promise<void> {
    const deadline = performance.now() + MAX_END_MS;
    while (this.flush() === 'busy' && performance.now() < deadline) await delay(RETRY_MS);
  }

  #takeLines(): void {
    this.#rest = Buffer.from(this.#lines);
    this.#lines = '';
  }

  #flushOrRetry(): void {
    this.#scheduled = false;
    if (this.flush() === 'done') return;
    this.#scheduled = true;
    setTimeout(() => this.#flushOrRetry(), RETRY_MS).unref();
  }
}
