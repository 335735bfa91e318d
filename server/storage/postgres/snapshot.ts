import { type Compilable, CompiledQuery, type Kysely } from 'kysely';
import { STREAM_CHUNK_ROWS } from '../storage.ts';
import type { Tables } from '../tables.ts';

/** How many rows are read before it is known how large they are. */
const FIRST_ROWS = 50;

/** How many characters a chunk should have at most. */
const CHUNK_CHARACTERS = 512 * 1024;

/**
 * A cursor in a transaction of its own. It is SQL's: between two fetches PostgreSQL then knows that it waits for us, not we for
 * it, so a client that reads slowly meets the bound on idle transactions only, not that on statements. At most two chunks are in memory.
 */
export async function* streamSnapshot<Row>(
  db: Kysely<Tables>,
  query: Compilable<Row>,
): AsyncGenerator<Row[], void, undefined> {
  const { sql: text, parameters } = query.compile();
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    await snapshot.executeQuery(
      CompiledQuery.raw(`declare branchline_rows no scroll cursor for ${text}`, [...parameters]),
    );
    const fetch = (count: number) =>
      snapshot.executeQuery<Row>(CompiledQuery.raw(`fetch ${count} from branchline_rows`));
    let count = FIRST_ROWS;
    for (let next = fetch(count); ;) {
      const { rows } = await next;
      const isLast = rows.length < count;
      if (!isLast) {
        count = countFor(rows);
        // PostgreSQL reads on while these rows are used. A failure surfaces when the next ones are asked for.
        next = fetch(count);
        next.catch(() => {});
      }
      if (rows.length > 0) yield rows;
      if (isLast) return;
    }
  } finally {
    await snapshot.rollback().execute();
  }
}

/** How many rows the next chunk has, if they are as large as the last ones. */
function countFor(rows: readonly unknown[]): number {
  const texts = rows.flatMap((row) => Object.values(Object(row))).filter((value) => typeof value === 'string');
  const characters = texts.reduce((sum, text) => sum + text.length, 1);
  return Math.max(1, Math.min(STREAM_CHUNK_ROWS, Math.floor((CHUNK_CHARACTERS * rows.length) / characters)));
}
