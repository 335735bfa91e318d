import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** The connections of servers to a PostgreSQL database, and those of them that wait within a statement. */
export interface Connections {
  all: number;
  waiting: number;
}

const PAUSE_MS = 20;

/** @param url of the database itself, not of a proxy before it */
export async function countConnections(url: string): Promise<Connections> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<Connections>(
      `select count(*)::int as all, count(*) filter (where state = 'active')::int as waiting
        from pg_stat_activity where datname = current_database() and application_name = 'branchline'`,
    );
    return rows[0] ?? { all: 0, waiting: 0 };
  } finally {
    await client.end();
  }
}

/** Counts again and again until `work` is done. */
export async function mostConnections(url: string, work: Promise<unknown>): Promise<Connections> {
  const ended = work.then(() => true);
  ended.catch(() => {});
  const most = { all: 0, waiting: 0 };
  do {
    const { all, waiting } = await countConnections(url);
    most.all = Math.max(most.all, all);
    most.waiting = Math.max(most.waiting, waiting);
  } while (!(await Promise.race([ended, delay(PAUSE_MS, false)])));
  return most;
}
