import { type CompiledQuery, sql, type Transaction } from 'kysely';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from './delivery.ts';
import { compileNewTotals } from './event-totals.ts';
import { sum } from './observations.ts';
import { typeKey } from '../place-keys.ts';
import { derivePropertyKeys } from '../property-keys.ts';
import { entry, inKeyOrder } from '../rows.ts';
import type {
  AppVersionRow,
  EventNameRow,
  ObservedPropertyRow,
  ObservedTypeRow,
  ShapeRow,
  SourceShapeRow,
} from '../tables.ts';
import type { ObservationAggregator } from './observation-aggregator.ts';
import { compileEndOfKeys, compileUsage, KEY } from './usage.ts';

const addVersions = new ManyRows(
  ['workspace_id', 'source', 'app_version', 'shapes'],
  (db, rows: readonly AppVersionRow[]) =>
    db
      .insertInto('app_versions')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'source', 'app_version'])
          .doUpdateSet({ shapes: sum('app_versions', 'shapes') }),
      ),
);

const addEventNames = new ManyRows(['workspace_id', 'event_key', 'event_name'], (db, rows: readonly EventNameRow[]) =>
  db.insertInto('event_names').values(rows),
);

const addShapes = new ManyRows(['workspace_id', 'event_key', 'shape_id', 'schema'], (db, rows: readonly ShapeRow[]) =>
  db.insertInto('shapes').values(rows),
);

const addSourceShapes = new ManyRows(
  ['workspace_id', 'event_key', 'shape_id', 'source', 'environment', 'count', 'first_seen', 'last_seen'],
  (db, rows: readonly SourceShapeRow[]) =>
    // One may be there that was made of counts alone.
    db
      .insertInto('source_shapes')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing()),
);

const TYPE_KEY = ['workspace_id', 'event_key', 'path_key', 'type', 'source', 'environment'] as const;

const addTypes = new ManyRows([...TYPE_KEY, 'first_version', 'shapes'], (db, rows: readonly ObservedTypeRow[]) =>
  db
    .insertInto('observed_types')
    .values(rows)
    .onConflict((conflict) => conflict.columns(TYPE_KEY).doUpdateSet({ shapes: sum('observed_types', 'shapes') })),
);

const addProperties = new ManyRows(
  ['workspace_id', 'event_key', 'path_key', 'event_name', 'path', 'type', 'conflicting'],
  (db, rows: readonly ObservedPropertyRow[]) =>
    db
      .insertInto('observed_properties')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'event_key', 'path_key']).doUpdateSet({
          conflicting: sql<number>`case when observed_properties.conflicting = 1 or excluded.conflicting = 1
            or observed_properties.type <> excluded.type then 1 else 0 end`,
        }),
      ),
);

/**
 * What adds all that an aggregator has found to be new, and what it takes of the budgets; it looks up what it adds to. Each shape
 * costs once in a source and environment, in however many app versions it is seen; and a property whose type changes only its own
 * row, however many others have it.
 */
export async function compileNovelties(
  tx: Transaction<Tables>,
  workspace_id: string,
  aggregator: ObservationAggregator,
): Promise<CompiledQuery[]> {
  if (aggregator.brought.size === 0) return [];
  const names = inKeyOrder(aggregator.newEventNames);
  const shapes = inKeyOrder(aggregator.newShapes);
  return [
    ...compileUsage(tx, workspace_id, aggregator.brought),
    ...(aggregator.newHolders().some((name) => name.startsWith(KEY)) ? [compileEndOfKeys(tx, workspace_id)] : []),
    ...addVersions.compile(tx, inKeyOrder(aggregator.versions)),
    ...addEventNames.compile(
      tx,
      names.map(({ eventKey, eventName }) => ({ workspace_id, event_key: eventKey, event_name: eventName })),
    ),
    ...addShapes.compile(
      tx,
      shapes.map(({ id, eventKey, schema }) => ({ workspace_id, event_key: eventKey, shape_id: id, schema })),
    ),
    ...addSourceShapes.compile(tx, sourceShapeRows(workspace_id, aggregator)),
    ...addTypes.compile(tx, typeRows(workspace_id, aggregator)),
    ...addProperties.compile(tx, propertyRows(workspace_id, aggregator)),
    ...(await compileNewTotals(tx, workspace_id, aggregator.newTotals)),
  ];
}

function sourceShapeRows(workspace_id: string, { newSourceShapes }: ObservationAggregator): SourceShapeRow[] {
  return inKeyOrder(newSourceShapes).map(({ place: { source, environment }, shape, seenAt }) => ({
    workspace_id,
    event_key: shape.eventKey,
    shape_id: shape.id,
    source,
    environment,
    count: 0,
    first_seen: seenAt,
    last_seen: seenAt,
  }));
}

function typeRows(workspaceId: string, { newSourceShapes }: ObservationAggregator): ObservedTypeRow[] {
  const rows = new Map<string, ObservedTypeRow>();
  for (const { place, shape } of newSourceShapes.values()) {
    for (const property of derivePropertyKeys(shape)) {
      const row = entry(rows, typeKey(shape, property, place), () => ({
        workspace_id: workspaceId,
        event_key: shape.eventKey,
        path_key: property.pathKey,
        type: property.type,
        source: place.source,
        environment: place.environment,
        first_version: place.app_version,
        shapes: 0,
      }));
      row.shapes += 1;
    }
  }
  return inKeyOrder(rows);
}

/** Only a type that is new somewhere can be another than the property had before. */
function propertyRows(
  workspaceId: string,
  { newSourceShapes, newTypes }: ObservationAggregator,
): ObservedPropertyRow[] {
  const rows = new Map<string, ObservedPropertyRow>();
  for (const { place, shape } of newSourceShapes.values()) {
    for (const property of derivePropertyKeys(shape)) {
      if (!newTypes.has(typeKey(shape, property, place))) continue;
      const row = entry(rows, joinKey(shape.eventKey, property.pathKey), () => ({
        workspace_id: workspaceId,
        event_key: shape.eventKey,
        path_key: property.pathKey,
        event_name: shape.eventName,
        path: property.path,
        type: property.type,
        conflicting: 0,
      }));
      if (row.type !== property.type) row.conflicting = 1;
    }
  }
  return inKeyOrder(rows);
}
