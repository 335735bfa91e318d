import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** How long a check of health may take. */
const PING_MS = 2_000;

/** @throws Error when the database does not answer in time, or takes no writes */
export async function checkPostgres(db: Kysely<Tables>): Promise<void> {
  await within(PING_MS, requireWritable(db));
}

async function requireWritable(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{
    read_only: string;
  }>`select current_setting('transaction_read_only') as read_only`.execute(db);
  if (rows[0]?.read_only !== 'off') throw new Error('The database is read-only.');
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${milliseconds} ms.`)), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
