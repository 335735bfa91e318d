import { type BigIntStats, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseUnavailable } from '../unavailable.ts';
import { resolveLinks } from './resolve-links.ts';

/** Calls back again and again, so many milliseconds apart, until the function that it returns is called. */
export type Repeat = (callback: () => void, milliseconds: number) => () => void;

const CHECK_EVERY_MS = 1_000;

interface Identity {
  dev: bigint;
  ino: bigint;
}

/**
 * Watches that the files of an open database stay where they are. SQLite goes on writing to a file that was removed or replaced,
 * so what it stores then is lost without any error.
 */
export class DatabaseFiles {
  readonly #database: string;
  readonly #known = new Map<string, Identity>();
  readonly #loss = Promise.withResolvers<Error>();
  #lost: DatabaseUnavailable | undefined;

  /** @param file the database, which is there, and not open yet */
  constructor(file: string) {
    this.#database = file;
    this.#known.set(file, statSync(file, { bigint: true }));
  }

  /** Resolves with what happened once a file is not in its place any more; from then on every write is refused. */
  get lost(): Promise<Error> {
    return this.#loss.promise;
  }

  /**
   * Looks at the files each second, beginning now, when the database has been opened.
   *
   * @returns a function that ends it
   */
  watch(repeat: Repeat = repeatUnreferenced): () => void {
    this.check();
    return repeat(() => {
      try {
        this.check();
      } catch {
        // Whoever waits for the loss is told. What only can't be looked at now may still be in its place.
      }
    }, CHECK_EVERY_MS);
  }

  /** @throws DatabaseUnavailable when a file was removed, renamed, replaced or emptied since the database was opened */
  check(): void {
    if (this.#lost === undefined) {
      const loss = this.#whatHappened();
      if (loss === undefined) return;
      this.#lost = new DatabaseUnavailable(loss);
      this.#loss.resolve(this.#lost);
    }
    throw this.#lost;
  }

  /**
   * Runs work that writes. Only if the files are still in place afterwards was it stored where it will be found again; if they
   * are not, that is why it failed too.
   *
   * @throws DatabaseUnavailable when they are not
   */
  async whileInPlace<Result>(work: () => Promise<Result>): Promise<Result> {
    this.check();
    try {
      return await work();
    } finally {
      this.check();
    }
  }

  /**
   * Takes away the log of a database that is not in its place any more, once it is closed: SQLite would write it into whatever
   * database is put there.
   */
  setAside(): void {
    const now = look(this.#database);
    if (this.#lost === undefined || (now !== undefined && !this.#differs(this.#database, now))) return;
    const database = resolveLinks(this.#database);
    for (const file of [`${database}-wal`, `${database}-shm`]) {
      const found = look(file);
      if (found === undefined || this.#differs(file, found)) continue;
      if (file.endsWith('-wal')) renameSync(file, `${file}.lost`);
      else rmSync(file);
    }
  }

  #whatHappened(): string | undefined {
    const now = look(this.#database);
    const database = `The database file ${this.#database}`;
    const advice =
      'Put the file back, or restore it from your backup with no -wal or -shm file beside it, and start again.';
    if (now === undefined) return `${database} was removed or renamed while it was in use. ${advice}`;
    if (this.#differs(this.#database, now)) {
      return `${database} was replaced by another file while it was in use. To use the new one, start again once no file with -wal or -shm is beside it.`;
    }
    // An open database has at least one page.
    if (now.size === 0n) return `${database} was emptied while it was in use. ${advice}`;
    return this.#whatHappenedBeside();
  }

  /** The log and its index are made when the database is opened, and stay as they are until it is closed. */
  #whatHappenedBeside(): string | undefined {
    const database = resolveLinks(this.#database);
    for (const file of [`${database}-wal`, `${database}-shm`]) {
      const now = look(file);
      if (now !== undefined && !this.#known.has(file)) this.#known.set(file, now);
      if (now === undefined || this.#differs(file, now)) {
        return (
          `The file ${file} was removed or replaced while the database was in use, and holds what was stored last. ` +
          'Start again, and never touch the files beside the database while it is in use.'
        );
      }
    }
    return undefined;
  }

  #differs(file: string, { dev, ino }: Identity): boolean {
    const known = this.#known.get(file);
    return known === undefined || known.dev !== dev || known.ino !== ino;
  }
}

/** @throws DatabaseUnavailable when it can't be told whether there is a file */
function look(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    throw new DatabaseUnavailable(`The database file ${file} can't be looked at.`, { cause: error });
  }
}

/** It alone keeps no process running. */
function repeatUnreferenced(callback: () => void, milliseconds: number): () => void {
  const timer = setInterval(callback, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
