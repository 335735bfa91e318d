import type { Storage } from '../storage.ts';
import type { DatabaseUnavailable } from '../transient-errors.ts';
import { damage } from './health.ts';

/** Remembers what SQLite found damaged, whoever met it: a check of the file sees but a part of it. */
export class KnownDamage {
  readonly #file: string;
  #found: DatabaseUnavailable | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws DatabaseUnavailable with what was found first */
  check(): void {
    if (this.#found !== undefined) throw this.#found;
  }

  /** Any error; all but those of a damaged file say nothing. */
  learn(error: unknown): void {
    this.#found ??= damage(error, this.#file);
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
}
