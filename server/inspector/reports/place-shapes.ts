import { type Kysely, sql } from 'kysely';
import { readRows } from '../../http/bounded-page.ts';
import type { Tables } from '../../storage/tables.ts';
import { boundedKey } from '../keys.ts';
import type { SourceShapeRow } from '../tables.ts';
import { chooseOrder } from './index-orders.ts';
import { columnsOf, firstRows, isCounted, isWithin } from './index-range.ts';
import type { CountedShape } from './property-sums.ts';
import { eachWithSchema, type SizedShape, sizeOfSchema, withSizes } from './schema-look-up.ts';

/** The maximum number of shapes read for one answer, and of their schemas' characters in total. */
const MOST_SHAPES = 1_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** How many shapes are read at a time. */
const SHAPES_AT_A_TIME = 50;

/** An event in a source and environment, in one app version or in all together. */
export interface EventInPlace extends Pick<SourceShapeRow, 'source' | 'environment'> {
  eventName: string;
  appVersion?: string | undefined;
}

/** How much is read. */
export interface ShapeBounds {
  shapes: number;
  /** Reading ends with the shape whose schema reaches this number. */
  characters: number;
}

/** What is read of each where one answer reads the shapes of so many events in places. */
export function boundsAmong(many: number): ShapeBounds {
  const parts = Math.max(1, many);
  return { shapes: Math.ceil(MOST_SHAPES / parts), characters: MOST_CHARACTERS / parts };
}

/**
 * Reads the shapes of an event in a place one by one, those with the first ids. These are digests, so it is an even choice.
 *
 * @param add takes one; others have their turns between
 * @returns whether there are more than the bounds permit
 */
export async function readShapes(
  db: Kysely<Tables>,
  workspaceId: string,
  event: EventInPlace,
  bounds: ShapeBounds,
  add: (shape: CountedShape) => void,
): Promise<boolean> {
  let read = 0;
  let characters = 0;
  for (let after = ''; ;) {
    const page = await readRows<SizedPlaceShape>({
      holder: workspaceId,
      limit: Math.min(SHAPES_AT_A_TIME, bounds.shapes - read),
      read: (last, count) => findShapes(db, workspaceId, event, last?.shape_id ?? after, count),
      sizeOf: ({ size }) => size,
    });
    const lastId = page.rows.at(-1)?.shape_id;
    for await (const shape of eachWithSchema(db, workspaceId, page.rows)) {
      add(shape);
      read += 1;
      characters += shape.schema.length;
      const isFull = read === bounds.shapes || characters >= bounds.characters;
      if (isFull) return page.hasMore || shape.shape_id !== lastId;
    }
    after = lastId ?? after;
    if (!page.hasMore) return false;
  }
}

type SizedPlaceShape = SizedShape<Omit<CountedShape, 'schema'>>;

/** Finds the next shapes. */
async function findShapes(
  db: Kysely<Tables>,
  workspaceId: string,
  { eventName, source, environment, appVersion }: EventInPlace,
  after: string,
  count: number,
): Promise<SizedPlaceShape[]> {
  const table = appVersion === undefined ? 'source_shapes' : 'observed_shapes';
  const fixed = [
    ['event_key', boundedKey(eventName)],
    ['source', source],
    ['environment', environment],
  ] as const;
  const order = appVersion === undefined ? { fixed } : chooseOrder({ eventName, source, appVersion, environment });
  const range = { fixed: order.fixed, sorted: ['shape_id'] };
  const query = sql<Omit<SizedPlaceShape, 'size'> & { size: number | null }>`
    select event_key, shape_id, source, environment, count, first_seen, last_seen, ${sizeOfSchema(workspaceId, table)} as size
    from ${sql.table(table)}
    where workspace_id = ${workspaceId} and ${isWithin(range, [after])} and ${isCounted}
    order by ${sql.join(columnsOf(range).map((column) => sql.ref(column)))} limit ${firstRows(count)}`;
  const { rows } = await query.execute(db);
  return withSizes(rows);
}
