import type { Kysely } from 'kysely';
import { workFor } from './holder.ts';
import { findUnknownMigration } from './migrate.ts';
import type { Storage } from './storage.ts';
import type { Tables } from './tables.ts';
import { DatabaseUnavailable } from './transient-errors.ts';

/** How often it is looked for. */
const EVERY_MS = 1_000;

/** No workspace: however many requests there are, it has its turn. */
const HOLDER = '#version';

/**
 * Ends the use of a database that a newer version migrates meanwhile: what this version would write there is not what that one
 * reads. It is noticed within a second or so, unless the database can't be read; then `Storage.lost` resolves, and nothing is written.
 */
export function endWithNewerVersion(storage: Storage): Storage {
  const version = new NewerVersion(storage.db);
  const timer = setInterval(() => void version.look(), EVERY_MS).unref();
  const endingLooks = (end: () => Promise<void>) => async () => {
    clearInterval(timer);
    await end();
  };
  return {
    ...storage,
    write: async (work) => {
      version.refuse();
      return storage.write(work);
    },
    ping: async () => {
      version.refuse();
      await storage.ping();
    },
    lost: Promise.race([storage.lost, version.found]),
    close: endingLooks(storage.close),
    undo: endingLooks(storage.undo),
  };
}

class NewerVersion {
  readonly #db: Kysely<Tables>;
  readonly #loss = Promise.withResolvers<Error>();
  #reason: DatabaseUnavailable | undefined;
  #isLooking = false;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  get found(): Promise<Error> {
    return this.#loss.promise;
  }

  /** @throws DatabaseUnavailable once it was found */
  refuse(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** One at a time: a database that stands still is not asked again and again. */
  async look(): Promise<void> {
    if (this.#isLooking || this.#reason !== undefined) return;
    this.#isLooking = true;
    try {
      const unknown = await workFor(HOLDER, () => findUnknownMigration(this.#db));
      if (unknown !== undefined) this.#end(unknown);
    } catch {
      // Whoever needs the database meets the same fault, and says so.
    } finally {
      this.#isLooking = false;
    }
  }

  #end(migration: string): void {
    this.#reason = new DatabaseUnavailable(
      `A newer Branchline has migrated the database while this one was using it: it has the migration "${migration}", which this ` +
        'version does not know. Start the newer version instead of this one.',
    );
    this.#loss.resolve(this.#reason);
  }
}
