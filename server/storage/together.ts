import type { CompiledQuery, DatabaseConnection, Kysely } from 'kysely';

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
  return execute(tx, lists, () => {});
}

async function execute<Lists extends readonly (readonly CompiledQuery[])[]>(
  tx: Pick<Kysely<unknown>, 'getExecutor'>,
  lists: Lists,
  afterwards: (connection: DatabaseConnection) => void,
): Promise<RowsOf<Lists>> {
  const statements = lists.flat();
  if (statements.length === 0) return lists.map(() => []) as RowsOf<Lists>;
  const results = await tx.getExecutor().provideConnection((connection) => {
    const answers = statements.map((statement) => connection.executeQuery(statement));
    afterwards(connection);
    return Promise.all(answers);
  });
  let at = 0;
  return lists.map(({ length }) => results.slice(at, (at += length)).flatMap(({ rows }) => rows)) as RowsOf<Lists>;
}

/** A connection on which a commit can be sent right after the statements that it is to make durable. */
export interface CommitsWithLast {
  /** Sends the commit, which is not done if a statement that was sent with it fails. Ending the transaction then waits for it. */
  commitWithLast(): void;
}

/**
 * As {@link executeTogether}, with the last statements of a transaction of `Storage.write`, after which it runs none and throws
 * nothing. On SQLite the commit crosses to the thread that writes in the same message.
 */
export async function executeLast<const Lists extends readonly (readonly CompiledQuery[])[]>(
  tx: Pick<Kysely<unknown>, 'getExecutor'>,
  lists: Lists,
): Promise<RowsOf<Lists>> {
  return execute(tx, lists, (connection) => {
    if ('commitWithLast' in connection) (connection as CommitsWithLast).commitWithLast();
  });
}
