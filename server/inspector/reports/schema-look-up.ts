import { takeTurn } from '@branchline/runtime';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { requireWanted } from '../../storage/holder.ts';
import { ManyKeys } from '../../storage/many-keys.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from '../ingest/delivery.ts';
import type { ShapeRow } from '../tables.ts';

/** Schemas of about this size are read at a time, in bytes. */
const BYTES_IN_A_TURN = 64 * 1024;

type ShapeKey = Pick<ShapeRow, 'event_key' | 'shape_id'>;

/** A sighting of a shape, with the size of its schema in bytes. */
export type SizedShape<Row = ShapeKey> = Row & ShapeKey & { size: number };

const findSchemas = new ManyKeys<ShapeKey, ShapeKey & Pick<ShapeRow, 'schema'>>(
  'shapes',
  ['event_key', 'shape_id'],
  ['event_key', 'shape_id', 'schema'],
);

/**
 * The size of the schema of each row of a table of sightings, as a column; the engines know it without reading the schema. It is looked
 * up for the rows that are read, one by one: PostgreSQL could begin a join with the shapes, go through all sightings for them, and sort
 * these for the few of a page.
 */
export function sizeOfSchema(
  workspaceId: string,
  table: 'observed_shapes' | 'source_shapes',
): RawBuilder<number | null> {
  return sql`(select octet_length(shapes.schema) from shapes where shapes.workspace_id = ${workspaceId}
    and shapes.event_key = ${sql.ref(`${table}.event_key`)} and shapes.shape_id = ${sql.ref(`${table}.shape_id`)})`;
}

/** Those that have a schema: of a workspace that is being deleted the shapes go first. */
export function withSizes<Row extends { size: number | null }>(rows: readonly Row[]): (Row & { size: number })[] {
  return rows.filter((row): row is Row & { size: number } => row.size !== null);
}

/** Gives the rows with their schemas, of which few are read at a time: each may be large. */
export async function* eachWithSchema<Row extends SizedShape>(
  db: Kysely<Tables>,
  workspaceId: string,
  rows: readonly Row[],
): AsyncGenerator<Row & Pick<ShapeRow, 'schema'>> {
  for (const some of splitBySize(rows)) {
    await takeTurn(workspaceId);
    requireWanted();
    const keys = some.map(({ event_key, shape_id }) => ({ event_key, shape_id }));
    const found = await findSchemas.execute(db, workspaceId, keys);
    const schemas = new Map(found.map((row) => [joinKey(row.event_key, row.shape_id), row.schema]));
    for (const row of some) {
      const schema = schemas.get(joinKey(row.event_key, row.shape_id));
      if (schema !== undefined) yield { ...row, schema };
    }
  }
}

function* splitBySize<Row extends SizedShape>(rows: readonly Row[]): Generator<Row[], void> {
  let some: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (some.length > 0 && bytes + row.size > BYTES_IN_A_TURN) {
      yield some;
      some = [];
      bytes = 0;
    }
    some.push(row);
    bytes += row.size;
  }
  if (some.length > 0) yield some;
}
