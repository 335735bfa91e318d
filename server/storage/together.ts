import type { CompiledQuery, Kysely } from 'kysely';

/** The rows that each list of statements gives. */
type RowsOf<Lists> = {
  -readonly [Index in keyof Lists]: Lists[Index] extends readonly CompiledQuery<infer Row>[] ? Row[] : never;
};

/**
 * Runs statements of a transaction in their order, without waiting for the answer to one before the next is sent: on SQLite all
 * cross to the thread that writes as one message, on PostgreSQL in one round trip.
 *
 * @param lists each of statements that give rows of one kind
 * @returns the rows of each list
 * @throws what the first statement that fails threw; those after it change nothing
 */
export async function executeTogether<const Lists extends readonly (readonly CompiledQuery[])[]>(
  tx: Pick<Kysely<unknown>, 'getExecutor'>,
  lists: Lists,
): Promise<RowsOf<Lists>> {
  const statements = lists.flat();
  if (statements.length === 0) return lists.map(() => []) as RowsOf<Lists>;
  const results = await tx
    .getExecutor()
    .provideConnection((connection) => Promise.all(statements.map((statement) => connection.executeQuery(statement))));
  let at = 0;
  return lists.map(({ length }) => results.slice(at, (at += length)).flatMap(({ rows }) => rows)) as RowsOf<Lists>;
}
