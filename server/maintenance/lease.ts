import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { databaseTime } from '../storage/database-time.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';

/** How long a task rests that was done; in milliseconds. */
const REST_MS = { inAnHour: 60 * 60 * 1_000, inAMinute: 60 * 1_000 };

/** When a task that was done is due again. */
export type Rest = keyof typeof REST_MS;

/** How long a task stays with a process that says nothing any more. */
const LEASE_MS = 60_000;

export interface LeaseOptions {
  storage: Storage;
  /** Whose time decides; left out: the one that all processes with this database share. */
  clock?: Clock | undefined;
  /** Milliseconds of any clock that only goes forward. Defaults to that of the process. */
  now?: () => number;
  leaseMs?: number;
}

/** A task that this process alone may work on, for a while. */
export interface Lease {
  /** Extends it when half of it is over. @returns false when it was lost: the process stood still for too long */
  hold: () => Promise<boolean>;
  /** Gives it back. The task is due again after its rest, or at once, for another process to go on. */
  giveBack: (due: Rest | 'atOnce') => Promise<void>;
}

/** When a task may be taken: when it is due, or at any time. */
export type When = 'due' | 'now';

/** Makes a task due at once, whenever it ran last. */
export async function makeDue(tx: Transaction<Tables>, task: string): Promise<void> {
  await tx
    .insertInto('maintenance')
    .values({ task, due_at: 0, leased_until: 0 })
    .onConflict((conflict) => conflict.column('task').doUpdateSet({ due_at: 0 }))
    .execute();
}

/**
 * Who runs which task: of all processes with one database one at a time, decided by one row a task. A process that is killed
 * holds its task until the lease ends.
 */
export class Leases {
  readonly #storage: Storage;
  readonly #clock: Clock | undefined;
  readonly #now: () => number;
  readonly #leaseMs: number;

  constructor({ storage, clock, now = () => performance.now(), leaseMs = LEASE_MS }: LeaseOptions) {
    this.#storage = storage;
    this.#clock = clock;
    this.#now = now;
    this.#leaseMs = leaseMs;
  }

  /**
   * @param rest how long the task rests
   * @returns undefined while another process has the task, or it is not due
   */
  async take(task: string, when: When, rest: Rest = 'inAnHour'): Promise<Lease | undefined> {
    if (!(await this.#isFree(task, when, rest))) return undefined;
    const holder = randomUUID();
    let takenAt = this.#now();
    if (!(await this.#claim(task, holder, when, rest))) return undefined;
    return {
      hold: async () => {
        const now = this.#now();
        if (now - takenAt < this.#leaseMs / 2) return true;
        if (!(await this.#extend(task, holder))) return false;
        takenAt = now;
        return true;
      },
      giveBack: (due) => this.#giveBack(task, holder, due),
    };
  }

  /** Mostly it is not: then nobody who writes is kept waiting for the answer. */
  async #isFree(task: string, when: When, rest: Rest): Promise<boolean> {
    const { db } = this.#storage;
    const row = await db
      .selectFrom('maintenance')
      .select(this.#free(when, rest).as('free'))
      .where('task', '=', task)
      .executeTakeFirst();
    return row === undefined || Boolean(row.free);
  }

  async #claim(task: string, holder: string, when: When, rest: Rest): Promise<boolean> {
    const leased_until = this.#end();
    const result = await this.#storage.write((tx) =>
      tx
        .insertInto('maintenance')
        .values({ task, holder, leased_until, due_at: 0 })
        .onConflict((conflict) =>
          conflict.column('task').doUpdateSet({ holder, leased_until }).where(this.#free(when, rest)),
        )
        .executeTakeFirst(),
    );
    return result.numInsertedOrUpdatedRows === 1n;
  }

  async #extend(task: string, holder: string): Promise<boolean> {
    const result = await this.#storage.write((tx) =>
      tx
        .updateTable('maintenance')
        .set({ leased_until: this.#end() })
        .where('task', '=', task)
        .where('holder', '=', holder)
        .where('leased_until', '>', this.#time())
        .executeTakeFirst(),
    );
    return result.numUpdatedRows === 1n;
  }

  async #giveBack(task: string, holder: string, when: Rest | 'atOnce'): Promise<void> {
    const due = when === 'atOnce' ? {} : { due_at: sql<number>`${this.#time()} + ${sql.lit(REST_MS[when])}` };
    await this.#storage.write((tx) =>
      tx
        .updateTable('maintenance')
        .set({ holder: null, leased_until: 0, ...due })
        .where('task', '=', task)
        .where('holder', '=', holder)
        .execute(),
    );
  }

  /** A time that is later than anyone would have set it comes from a clock that was set back since. */
  #free(when: When, rest: Rest) {
    const now = this.#time();
    const [until, due] = [sql.ref('maintenance.leased_until'), sql.ref('maintenance.due_at')];
    const isPast = (time: typeof until, latest: number) =>
      sql<boolean>`(${time} <= ${now} or ${time} > ${now} + ${sql.lit(2 * latest)})`;
    const untaken = isPast(until, this.#leaseMs);
    return when === 'now' ? untaken : sql<boolean>`(${untaken} and ${isPast(due, REST_MS[rest])})`;
  }

  #end() {
    return sql<number>`${this.#time()} + ${sql.lit(this.#leaseMs)}`;
  }

  #time() {
    return databaseTime(this.#storage.db, this.#clock);
  }
}
