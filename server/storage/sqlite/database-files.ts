import { type BigIntStats, closeSync, lstatSync, openSync, rmSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { DatabaseUnavailable } from '../transient-errors.ts';
import { readDatabaseBytes } from './database-header.ts';
import { LogFrames } from './log-frames.ts';
import { resolveLinks } from './resolve-links.ts';
import { setAsideLogPath, setLogAside } from './set-aside-log.ts';

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
  /** Where SQLite has opened it, through any links. */
  readonly #file: string;
  /** The log of it, and the index of that. */
  readonly #beside: readonly [wal: string, shm: string];
  /** What keeps other servers from it. */
  readonly #lock: string;
  readonly #known = new Map<string, Identity>();
  readonly #loss = Promise.withResolvers<Error>();
  #lost: DatabaseUnavailable | undefined;
  /** The database file was emptied or cut short; its log is whole. */
  #isCut = false;
  /** The log lacks what its index says that it has. */
  #isLogCut = false;
  /** Not all that was written to the log has been looked at. */
  #hasMore = false;
  /** The database file, when it was last found in its place. */
  #seen: BigIntStats;
  readonly #log: LogFrames;
  /** The database, kept open: to close it would give up the locks that SQLite has on it. */
  #pages: number | undefined;

  /** @param file the database, which is there, and not open yet */
  constructor(file: string) {
    this.#database = file;
    this.#file = resolveLinks(file);
    this.#beside = [`${this.#file}-wal`, `${this.#file}-shm`];
    this.#lock = `${this.#file}.lock`;
    this.#log = new LogFrames(...this.#beside);
    this.#seen = statSync(file, { bigint: true });
    this.#known.set(file, this.#seen);
    const lock = look(this.#lock);
    if (lock !== undefined) this.#known.set(this.#lock, lock);
  }

  /** Resolves with what happened once a file is not in its place any more; from then on every write is refused. */
  get lost(): Promise<Error> {
    return this.#loss.promise;
  }

  /**
   * Whether the database must not be closed any more: SQLite would write what there is of its log into the file, over what a backup or
   * the log itself could bring back.
   */
  get mustStayOpen(): boolean {
    return this.#isCut || this.#isLogCut;
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

  /** @throws DatabaseUnavailable when a file was removed, renamed, replaced, emptied or cut short since the database was opened */
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
   * Looks at all that a transaction has written: only if the files are still in place was it stored where it will be found again. To
   * be awaited before another transaction begins, which could copy damage into the database, and begin the log anew.
   *
   * @returns how many frames the log has
   * @throws DatabaseUnavailable when they are not
   */
  async checkCommitted(): Promise<number> {
    this.check();
    while (this.#hasMore) {
      await setImmediate();
      this.check();
    }
    return this.#log.frames;
  }

  /**
   * Runs transactions, whose commits are checked. If the files are not in place, that is why they failed.
   *
   * @throws DatabaseUnavailable when they are not
   */
  async whileInPlace<Result>(work: () => Promise<Result>): Promise<Result> {
    this.check();
    try {
      return await work();
    } catch (error) {
      this.check();
      throw error;
    }
  }

  /**
   * Ends the looks, once the database is closed, and takes away the log of one that is not in its place any more: SQLite would
   * write it into whatever database is put there.
   */
  close(): void {
    this.#log.close();
    if (this.#pages !== undefined) closeSync(this.#pages);
    this.#pages = undefined;
    if (!this.#isAway()) return;
    const [wal, shm] = this.#beside;
    if (this.#isStill(wal)) setLogAside(this.#file, this.#seen);
    if (this.#isStill(shm)) rmSync(shm);
  }

  #isAway(): boolean {
    if (this.#isCut) return true;
    if (this.#lost === undefined) return false;
    const now = lookThroughLinks(this.#database);
    return now === undefined || this.#differs(this.#database, now);
  }

  #whatHappened(): string | undefined {
    const own = look(this.#file);
    if (own?.isSymbolicLink() === true) return this.#describeLink();
    const now = this.#file === this.#database ? own : lookThroughLinks(this.#database);
    if (now === undefined) return this.#gone('removed or renamed');
    if (this.#differs(this.#database, now)) return this.#describeReplaced();
    this.#isCut = now.size < this.#seen.size && this.#lacksPages(now.size);
    if (this.#isCut) return this.#gone(now.size === 0n ? 'emptied' : 'cut short');
    this.#seen = now;
    return this.#whatHappenedToLock() ?? this.#whatHappenedBeside();
  }

  /** Once made, it stays. One that was never served from has none. */
  #whatHappenedToLock(): string | undefined {
    if (!this.#known.has(this.#lock) || this.#isStill(this.#lock)) return undefined;
    return (
      `The lock file ${this.#lock} was removed or replaced while the database was in use, so a second server could start beside this ` +
      'one. Start again, and never touch the files beside the database while it is in use.'
    );
  }

  /**
   * The file was renamed, and a link put in its place: whoever opens it by that looks for its log elsewhere. But SQLite finds the file by
   * the link, and leaves nothing in its log when it closes it.
   */
  #describeLink(): string {
    return (
      `The database file ${this.#database} was moved while it was in use, and a link put in its place. Start again, which uses the ` +
      'file that the link leads to, and never move a database while it is in use.'
    );
  }

  /** Its log is set aside when the database is closed, if that is in its place. */
  #gone(how: string): string {
    const [wal] = this.#beside;
    const what = `The database file ${this.#database} was ${how} while it was in use`;
    if (!this.#isStill(wal)) {
      return (
        `${what}, and so was its log ${wal}, or something was mounted over both. What was stored last is in that log. Put both back, and ` +
        'start again; or restore the database from your backup.'
      );
    }
    const log = setAsideLogPath(this.#file);
    return (
      `${what}. What was stored last is then in ${log}. Put the file back, by moving it, and start again, which puts that back too; or ` +
      `restore it from your backup, move ${log} away, and start again.`
    );
  }

  #describeReplaced(): string {
    if (!this.#isStill(this.#beside[0])) return this.#gone('replaced by another file');
    const log = setAsideLogPath(this.#file);
    return (
      `The database file ${this.#database} was replaced by another file while it was in use. What was stored last is then in ` +
      `${log}. To use the new one without that, move ${log} away, and start again.`
    );
  }

  /**
   * Whether the file has fewer pages than it says. `VACUUM` makes it shorter only once it says so; a checkpoint, which writes the first
   * page before others, makes it no shorter.
   */
  #lacksPages(size: bigint): boolean {
    return size < readFrom(this.#database, () => readDatabaseBytes((this.#pages ??= openSync(this.#database, 'r'))));
  }

  /** The log and its index are made when the database is opened, and stay as they are until it is closed. */
  #whatHappenedBeside(): string | undefined {
    for (const file of this.#beside) {
      const now = look(file);
      if (now !== undefined && !this.#known.has(file)) this.#known.set(file, now);
      if (now === undefined || this.#differs(file, now)) {
        return (
          `The file ${file} was removed or replaced while the database was in use, and holds what was stored last. ` +
          'Start again, and never touch the files beside the database while it is in use.'
        );
      }
    }
    const state = readFrom(this.#beside[0], () => this.#log.look());
    this.#hasMore = state === 'partly';
    this.#isLogCut = state === 'cut';
    return this.#isLogCut ? describeCut(this.#beside[0]) : undefined;
  }

  #isStill(file: string): boolean {
    const found = look(file);
    return found !== undefined && !this.#differs(file, found);
  }

  #differs(file: string, { dev, ino }: Identity): boolean {
    const known = this.#known.get(file);
    return known === undefined || known.dev !== dev || known.ino !== ino;
  }
}

function describeCut(log: string): string {
  return (
    `The file ${log} was emptied or cut short while the database was in use, and what was stored last was in it. Start again, if you ` +
    'can do without that, or restore the database from your backup. Never touch the files beside a database while it is in use.'
  );
}

/** @throws DatabaseUnavailable when it can't be told whether there is a file */
function look(file: string): BigIntStats | undefined {
  return lookBy(lstatSync, file);
}

function lookThroughLinks(file: string): BigIntStats | undefined {
  return lookBy(statSync, file);
}

function lookBy(stat: typeof statSync, file: string): BigIntStats | undefined {
  try {
    return stat(file, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    throw new DatabaseUnavailable(`The database file ${file} can't be looked at.`, { cause: error });
  }
}

/** @throws DatabaseUnavailable when the disk fails to read it */
function readFrom<Read>(file: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw new DatabaseUnavailable(`The database file ${file} can't be read.`, { cause: error });
  }
}

/** It alone keeps no process running. */
function repeatUnreferenced(callback: () => void, milliseconds: number): () => void {
  const timer = setInterval(callback, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
