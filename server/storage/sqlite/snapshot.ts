import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Compilable } from 'kysely';
import { STREAM_CHUNK_ROWS } from '../storage.ts';
import { BUSY_TIMEOUT_MS } from './connection.ts';
import { sqlValues } from './statement-cache.ts';

/** A connection of its own holds the snapshot, so that neither writers nor other exports share its transaction. */
export async function* streamSnapshot<Row>(file: string, query: Compilable<Row>): AsyncGenerator<Row[]> {
  const { sql: text, parameters } = query.compile();
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const statement = database.prepare(text);
    const toRow = rowOf<Row>(statement.columns().map(({ name }) => name));
    // Of each object that the engine makes something stays until the garbage of all memory is collected; of an array nothing.
    statement.setReturnArrays(true);
    let chunk: Row[] = [];
    // One SELECT statement reads one snapshot for as long as it is iterated.
    for (const cells of statement.iterate(...sqlValues(parameters))) {
      chunk.push(toRow(cells));
      if (chunk.length < STREAM_CHUNK_ROWS) continue;
      yield chunk;
      chunk = [];
      await nextTurn();
    }
    if (chunk.length > 0) yield chunk;
  } finally {
    database.close();
  }
}

function rowOf<Row>(names: readonly string[]): (cells: unknown) => Row {
  return (cells) => {
    const row: Record<string, unknown> = {};
    if (Array.isArray(cells)) for (const [at, name] of names.entries()) row[name] = cells[at];
    return row as Row;
  };
}
