import type { CompiledQuery, DatabaseConnection, Kysely, QueryResult } from 'kysely';

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

/** A connection on which what comes after statements can be sent before they are answered. */
export interface SendsAhead {
  /** Sends the commit, which is not done if a statement that was sent with it fails. Ending the transaction then waits for it. */
  commitWithLast(): void;
  /**
   * Sends all that is left of a transaction: the first statements, and the last ones with the commit, which are run only if the first
   * give so many rows in all.
   *
   * @returns what the first gave, and whether the last were run
   */
  executeLastIf(
    first: readonly CompiledQuery[],
    rows: number,
    last: readonly CompiledQuery[],
  ): Promise<{ results: QueryResult<unknown>[]; isLast: boolean }>;
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
    if (sendsAhead(connection)) connection.commitWithLast();
  });
}

/** What {@link executeLastIf} runs. */
interface Steps<Lists> {
  first: Lists;
  /** How many rows the first are expected to give in all. */
  rows: number;
  last: readonly CompiledQuery[];
}

/**
 * Runs statements as {@link executeTogether} does, and, if they give so many rows in all, the last of the transaction, as
 * {@link executeLast} does: on SQLite all of them cross as one message. Otherwise the transaction goes on.
 *
 * @returns the rows of each list of the first, and whether the last were run
 */
export async function executeLastIf<const Lists extends readonly (readonly CompiledQuery[])[]>(
  tx: Pick<Kysely<unknown>, 'getExecutor'>,
  { first, rows, last }: Steps<Lists>,
): Promise<{ found: RowsOf<Lists>; isLast: boolean }> {
  const ahead = await tx
    .getExecutor()
    .provideConnection(async (connection) =>
      sendsAhead(connection) ? connection.executeLastIf(first.flat(), rows, last) : undefined,
    );
  if (ahead !== undefined) return { found: deal(first, ahead.results), isLast: ahead.isLast };
  const found = await executeTogether(tx, first);
  const isLast = found.flat().length === rows;
  if (isLast) await executeLast(tx, [last]);
  return { found, isLast };
}

function sendsAhead(connection: DatabaseConnection): connection is DatabaseConnection & SendsAhead {
  return 'executeLastIf' in connection;
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
  return deal(lists, results);
}

/** Gives each list the rows of its statements. */
function deal<Lists extends readonly (readonly CompiledQuery[])[]>(
  lists: Lists,
  results: readonly QueryResult<unknown>[],
): RowsOf<Lists> {
  let at = 0;
  return lists.map(({ length }) => results.slice(at, (at += length)).flatMap(({ rows }) => rows)) as RowsOf<Lists>;
}
