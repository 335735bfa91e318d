import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Storage } from '../../storage.ts';
import { openSqlite } from '../database.ts';

/** A database in a folder of its own, whose files are looked at when a test says so. */
export class WatchedFile {
  readonly file: string;
  readonly storage: Storage;
  /** What the timer does each second. */
  readonly look: () => void;
  readonly #folder: string;
  readonly #isWatched: () => boolean;

  private constructor(folder: string, file: string, storage: Storage, timer: Timer) {
    this.#folder = folder;
    this.file = file;
    this.storage = storage;
    this.look = () => timer.callback?.();
    this.#isWatched = () => timer.callback !== undefined;
  }

  static async open(): Promise<WatchedFile> {
    const folder = mkdtempSync(join(tmpdir(), 'branchline-watched-'));
    const file = join(folder, 'branchline.db');
    const timer: Timer = { callback: undefined };
    const storage = await openSqlite(file, {
      repeat: (callback) => {
        timer.callback = callback;
        return () => (timer.callback = undefined);
      },
    });
    return new WatchedFile(folder, file, storage, timer);
  }

  /** Whether there is a timer. */
  get isWatched(): boolean {
    return this.#isWatched();
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
    rmSync(this.#folder, { recursive: true });
  }
}

interface Timer {
  callback: (() => void) | undefined;
}

/** What it is rejected with. */
export function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}
