import { type Compilable, CompiledQuery, type Kysely } from 'kysely';
import { STREAM_CHUNK_ROWS } from '../storage.ts';
import type { Tables } from '../tables.ts';

/**
 * A cursor in a transaction of its own. It is SQL's: between two fetches PostgreSQL then knows that it waits for us, not we for
 * it, so a client that reads slowly meets the bound on idle transactions only, not that on statements.
 */
export async function* streamSnapshot<Row>(
  db: Kysely<Tables>,
  query: Compilable<Row>,
): AsyncGenerator<Row[], void, undefined> {
  const { sql: text, parameters } = query.compile();
  const fetch = CompiledQuery.raw(`fetch ${STREAM_CHUNK_ROWS} from branchline_rows`);
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    await snapshot.executeQuery(
      CompiledQuery.raw(`declare branchline_rows no scroll cursor for ${text}`, [...parameters]),
    );
    for (;;) {
      const { rows } = await snapshot.executeQuery<Row>({ ...fetch, query: fetch.query });
      if (rows.length > 0) yield rows;
      if (rows.length < STREAM_CHUNK_ROWS) return;
    }
  } finally {
    await snapshot.rollback().execute();
  }
}
