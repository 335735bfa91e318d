import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { databaseTime } from '../storage/database-time.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { type Horizon, moveHorizon, REMEMBERED_MS } from './horizon.ts';

export interface HorizonOptions {
  storage: Storage;
  /** The clock; left out: the one shared by all processes with this database. */
  clock?: Clock | undefined;
  /** Milliseconds of any monotonic clock. Defaults to the process's. */
  now?: () => number;
}

/** One move of a horizon: everything before `to` is to be deleted, and before `from` is already; milliseconds since 1970, UTC. */
export interface HorizonMove {
  from: number;
  to: number;
  /** When it was moved. */
  now: number;
  /** To be called once all is deleted. Without it the horizon stays, and the next move begins where this one did. */
  complete: () => Promise<void>;
}

/** The horizon of one task, stored in the database. Only the holder of the task's lease may move it. */
export class StoredHorizon {
  readonly #task: string;
  readonly #options: Required<Pick<HorizonOptions, 'now'>> & HorizonOptions;
  #movedAt: number;

  constructor(task: string, { now = () => performance.now(), ...options }: HorizonOptions) {
    this.#task = task;
    this.#options = { ...options, now };
    this.#movedAt = now();
  }

  async nextMove(): Promise<HorizonMove> {
    const { storage, now } = this.#options;
    const elapsed = now() - this.#movedAt;
    const { last, time } = await this.#read(storage.db);
    const next = moveHorizon(last, time, elapsed);
    // If the clock was set back, newer data may be younger than the horizon says.
    const present = Math.min(next.horizon, time - REMEMBERED_MS);
    const complete = async (): Promise<void> => {
      await storage.write((tx) =>
        tx
          .updateTable('maintenance')
          .set({ horizon: next.horizon, horizon_moved_at: next.movedAt })
          .where('task', '=', this.#task)
          .execute(),
      );
      this.#movedAt += elapsed;
    };
    return { from: last?.horizon ?? present, to: present, now: time, complete };
  }

  async #read(tx: Kysely<Tables>): Promise<{ last: Horizon | undefined; time: number }> {
    const time = sql<number>`${databaseTime(tx, this.#options.clock)}`;
    const row = await tx
      .selectFrom('maintenance')
      .select(['horizon', 'horizon_moved_at', time.as('time')])
      .where('task', '=', this.#task)
      .executeTakeFirstOrThrow();
    const { horizon, horizon_moved_at: movedAt } = row;
    return { last: horizon === null || movedAt === null ? undefined : { horizon, movedAt }, time: row.time };
  }
}
