import { type RawBuilder, type Transaction, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { inKeyOrder, portions } from './rows.ts';
import type { Tally } from './tally.ts';

/** Adds a group's tally to what has been observed. */
export async function addObservations(tx: Transaction<Tables>, tally: Tally): Promise<void> {
  for (const rows of portions(inKeyOrder(tally.shapes))) {
    await tx
      .insertInto('observed_shapes')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'event_key', 'source', 'app_version', 'environment', 'shape_id'])
          .doUpdateSet({
            count: sum('observed_shapes', 'count'),
            first_seen: earlier('observed_shapes'),
            last_seen: later('observed_shapes'),
          }),
      )
      .execute();
  }
  for (const rows of portions(inKeyOrder(tally.events))) {
    await tx
      .insertInto('observed_events')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'event_key', 'source', 'app_version', 'environment']).doUpdateSet({
          count: sum('observed_events', 'count'),
          shapes: sum('observed_events', 'shapes'),
          first_seen: earlier('observed_events'),
          last_seen: later('observed_events'),
        }),
      )
      .execute();
  }
  for (const rows of portions(inKeyOrder(tally.totals))) {
    await tx
      .insertInto('shape_totals')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'source', 'app_version'])
          .doUpdateSet({ shapes: sum('shape_totals', 'shapes') }),
      )
      .execute();
  }
}

/** What the row has and what is added to it. */
export function sum(table: string, column: string): RawBuilder<number> {
  return sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
}

/** The clocks of two servers differ a little, so neither of two sightings is the earlier one for certain. */
function earlier(table: string): RawBuilder<number> {
  return either(table, 'first_seen', '<');
}

function later(table: string): RawBuilder<number> {
  return either(table, 'last_seen', '>');
}

/** SQLite and PostgreSQL have no common function for the least or greatest of two values. */
function either(table: string, column: string, order: '<' | '>'): RawBuilder<number> {
  const [old, added] = [sql.ref(`${table}.${column}`), sql.ref(`excluded.${column}`)];
  return sql<number>`case when ${old} ${sql.raw(order)} ${added} then ${old} else ${added} end`;
}
