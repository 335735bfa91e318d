import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Storage } from '../../storage.ts';
import { openSqlite } from '../database.ts';
import { lockForServing, type ServerLock } from '../server-lock.ts';

/** A database that is served from, in a folder of its own, whose files are looked at when a test says so. */
export class WatchedFile {
  readonly file: string;
  readonly storage: Storage;
  readonly #lock: ServerLock;
  readonly #timer: Timer;

  private constructor(file: string, lock: ServerLock, storage: Storage, timer: Timer) {
    this.file = file;
    this.#lock = lock;
    this.storage = storage;
    this.#timer = timer;
  }

  static async open(): Promise<WatchedFile> {
    const file = join(mkdtempSync(join(tmpdir(), 'branchline-watched-')), 'branchline.db');
    const timer: Timer = { callback: undefined };
    const lock = lockForServing(file);
    const storage = await openSqlite(file, {
      repeat: (callback) => {
        timer.callback = callback;
        return () => (timer.callback = undefined);
      },
    });
    return new WatchedFile(file, lock, storage, timer);
  }

  /** Whether there is a timer. */
  get isWatched(): boolean {
    return this.#timer.callback !== undefined;
  }

  /** What the timer does each second. */
  look(): void {
    this.#timer.callback?.();
  }

  async addWorkspace(id: string): Promise<void> {
    await this.storage.write((tx) =>
      tx.insertInto('workspaces').values({ workspace_id: id, hash_key_id: 'k', created_at: 1 }).execute(),
    );
  }

  /** Writes all into the database file itself, so that nothing is left in the log. */
  checkpoint(): void {
    const other = new DatabaseSync(this.file);
    other.exec('pragma wal_checkpoint(truncate)');
    other.close();
  }

  async remove(): Promise<void> {
    await this.storage.close();
    this.#lock.release();
    rmSync(dirname(this.file), { recursive: true });
  }
}

interface Timer {
  callback: (() => void) | undefined;
}
