import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, inject } from 'vitest';
import { type LoggedStatement, readStatements } from '../../../server/storage/testing/statement-log.ts';
import type { Storage } from '../../../server/storage/storage.ts';

/** What was sent to this database alone, as soon as the log has all of it. */
export async function* statementsTo({ db }: Pick<Storage, 'db'>): AsyncGenerator<LoggedStatement> {
  const name = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const last = `select '${randomUUID()}'`;
  await sql.raw(last).execute(db);
  const read = async () => {
    const all = await Array.fromAsync(readStatements(inject('statementLogs') ?? ''));
    return all.filter(({ database }) => database === name.rows[0]?.name);
  };
  await expect.poll(async () => (await read()).some((one) => one.sql === last)).toBe(true);
  yield* await read();
}
