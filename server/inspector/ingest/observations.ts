import { type CompiledQuery, type RawBuilder, type Transaction, sql } from 'kysely';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { placeEventKey } from '../place-keys.ts';
import { entry, inKeyOrder } from '../rows.ts';
import type { CountColumns, ObservedEventRow, ObservedShapeRow, PlaceColumns } from '../tables.ts';
import type { ObservationAggregator } from './observation-aggregator.ts';

const EVENT_KEY = ['workspace_id', 'event_key', 'source', 'app_version', 'environment'] as const;
const SHAPE_KEY = [...EVENT_KEY, 'shape_id'] as const;
const COUNTS = ['count', 'first_seen', 'last_seen'] as const;

const addShapes = new ManyRows([...SHAPE_KEY, 'event_name', ...COUNTS], (db, rows: readonly ObservedShapeRow[]) =>
  db
    .insertInto('observed_shapes')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(SHAPE_KEY).doUpdateSet({
        event_name: named('observed_shapes'),
        count: sum('observed_shapes', 'count'),
        first_seen: earlier('observed_shapes'),
        last_seen: later('observed_shapes'),
      }),
    ),
);

const addEvents = new ManyRows(
  [...EVENT_KEY, 'event_name', 'shapes', ...COUNTS],
  (db, rows: readonly ObservedEventRow[]) =>
    db
      .insertInto('observed_events')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(EVENT_KEY).doUpdateSet({
          event_name: named('observed_events'),
          count: sum('observed_events', 'count'),
          shapes: sum('observed_events', 'shapes'),
          first_seen: earlier('observed_events'),
          last_seen: later('observed_events'),
        }),
      ),
);

/** What is added to the counts of an event, or of a shape of it, in a place. */
export type PlaceEventCount = PlaceColumns & CountColumns & Pick<ObservedEventRow, 'event_key'>;
export type PlaceShapeCount = PlaceEventCount & Pick<ObservedShapeRow, 'shape_id'>;

/** What adds rows for shapes that are new in their places. Their events are counted later: see `settleCounts`. */
export function compileObservations(
  tx: Transaction<Tables>,
  { newPlaceShapes }: Pick<ObservationAggregator, 'newPlaceShapes'>,
): CompiledQuery[] {
  const shapes: ObservedShapeRow[] = [];
  const events = new Map<string, ObservedEventRow>();
  for (const { place, shape, seenAt } of inKeyOrder(newPlaceShapes)) {
    const row = {
      ...place,
      event_key: shape.eventKey,
      event_name: shape.eventName,
      count: 0,
      first_seen: seenAt,
      last_seen: seenAt,
    };
    shapes.push({ ...row, shape_id: shape.id });
    entry(events, placeEventKey(place, shape.eventKey), () => ({ ...row, shapes: 0 })).shapes += 1;
  }
  return [...addShapes.compile(tx, shapes), ...addEvents.compile(tx, inKeyOrder(events))];
}

/** What adds to the counts of rows that are there: see `findLost`. */
export function compileObservationCounts(
  tx: Transaction<Tables>,
  {
    placeShapes,
    placeEvents,
  }: { placeShapes: ReadonlyMap<string, PlaceShapeCount>; placeEvents: ReadonlyMap<string, PlaceEventCount> },
): [shapes: CompiledQuery[], events: CompiledQuery[]] {
  return [
    addShapes.compile(
      tx,
      inKeyOrder(placeShapes).map((row) => ({ ...row, event_name: '' })),
    ),
    addEvents.compile(
      tx,
      inKeyOrder(placeEvents).map((row) => ({ ...row, event_name: '', shapes: 0 })),
    ),
  ];
}

/** Counts come without a name; and a row that was made of counts alone gets it with the next event. */
function named(table: string): RawBuilder<string> {
  const [old, added] = [sql.ref(`${table}.event_name`), sql.ref('excluded.event_name')];
  return sql<string>`case when ${added} = '' then ${old} else ${added} end`;
}

/** What the row has and what is added to it. */
export function sum(table: string, column: string): RawBuilder<number> {
  return sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
}

/** The clocks of two servers differ a little, so neither of two sightings is the earlier one for certain. */
export function earlier(table: string): RawBuilder<number> {
  return either(table, 'first_seen', '<');
}

export function later(table: string): RawBuilder<number> {
  return either(table, 'last_seen', '>');
}

/** SQLite and PostgreSQL have no common function for the least or greatest of two values. */
function either(table: string, column: string, order: '<' | '>'): RawBuilder<number> {
  const [old, added] = [sql.ref(`${table}.${column}`), sql.ref(`excluded.${column}`)];
  return sql<number>`case when ${old} ${sql.raw(order)} ${added} then ${old} else ${added} end`;
}
