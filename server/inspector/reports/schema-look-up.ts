import { type RawBuilder, sql } from 'kysely';

/**
 * The schema of each row of a table of sightings, as a column. It is looked up for the rows that are read, one by one: PostgreSQL could
 * begin a join with the shapes, go through all sightings for them, and sort these for the few of a page.
 */
export function schemaOf(workspaceId: string, table: 'observed_shapes' | 'source_shapes'): RawBuilder<string | null> {
  return sql`(select shapes.schema from shapes where shapes.workspace_id = ${workspaceId}
    and shapes.event_key = ${sql.ref(`${table}.event_key`)} and shapes.shape_id = ${sql.ref(`${table}.shape_id`)})`;
}

/** Those that have one: of a workspace that is being deleted the shapes go first. */
export function withSchemas<Row extends { schema: string | null }>(rows: readonly Row[]): (Row & { schema: string })[] {
  return rows.filter((row): row is Row & { schema: string } => row.schema !== null);
}
