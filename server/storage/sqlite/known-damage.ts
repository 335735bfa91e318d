import type { Storage } from '../storage.ts';
import type { DatabaseUnavailable } from '../transient-errors.ts';
import { damage } from './health.ts';
import { checkIntegrity } from './integrity.ts';

/** Milliseconds from when damage is met until the whole file is read: a disk that fails for a moment would still fail right then. */
const READ_AFTER_MS = 5_000;

/** The shortest pause between two readings of the whole file, in milliseconds. */
const READ_EVERY_MS = 60_000;

/** The pause is also so many times as long as the last reading took: that of a large file takes minutes, and keeps its disk busy. */
const PAUSE_FACTOR = 20;

export interface KnownDamageOptions {
  file: string;
  /** Milliseconds of any monotonic clock. */
  now: () => number;
  /** Reads the whole file, and tells whether it is in order. Left out: a thread does. */
  readAll?: (file: string) => Promise<boolean>;
}

/**
 * Remembers what SQLite found damaged, whoever met it: a check of the file sees but a part of it. SQLite takes a disk that fails to read
 * for a moment for damage, too, so it is forgotten once all of the file has been read and found in order.
 */
export class KnownDamage {
  readonly #file: string;
  readonly #now: () => number;
  readonly #readAll: (file: string) => Promise<boolean>;
  #found: DatabaseUnavailable | undefined;
  /** How often damage was met. */
  #met = 0;
  #isReading = false;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor({ file, now, readAll = checkIntegrity }: KnownDamageOptions) {
    this.#file = file;
    this.#now = now;
    this.#readAll = readAll;
  }

  /** @throws DatabaseUnavailable with what was found first, as long as that is not known to be mended */
  check(): void {
    if (this.#found === undefined) return;
    if (!this.#isReading && this.#now() >= this.#notBefore) void this.#lookAgain();
    throw this.#found;
  }

  /** Any error; all but those of a damaged file say nothing. */
  learn(error: unknown): void {
    const found = damage(error, this.#file);
    if (found === undefined) return;
    this.#met += 1;
    if (this.#found !== undefined) return;
    this.#found = found;
    this.#notBefore = Math.max(this.#notBefore, this.#now() + READ_AFTER_MS);
  }

  /** A writer whose errors are learned from. */
  watch(write: Storage['write']): Storage['write'] {
    return async (work) => {
      try {
        return await write(work);
      } catch (error) {
        this.learn(error);
        throw error;
      }
    };
  }

  /** Rows whose errors are learned from. */
  async *watchRows<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row, void, undefined> {
    try {
      yield* rows;
    } catch (error) {
      this.learn(error);
      throw error;
    }
  }

  async #lookAgain(): Promise<void> {
    this.#isReading = true;
    const [met, beganAt] = [this.#met, this.#now()];
    // Without a thread nothing is known to be in order.
    const isWhole = await this.#readAll(this.#file).catch(() => false);
    // Damage that was met meanwhile may be a fault of the disk's that goes on.
    if (isWhole && this.#met === met) this.#found = undefined;
    this.#notBefore = this.#now() + Math.max(READ_EVERY_MS, PAUSE_FACTOR * (this.#now() - beganAt));
    this.#isReading = false;
  }
}
