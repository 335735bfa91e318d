import type { Transaction } from 'kysely';
import { ManyKeys } from '../../storage/many-keys.ts';
import type { Tables } from '../../storage/tables.ts';
import { executeTogether } from '../../storage/together.ts';
import type { Novelty } from '../budget.ts';
import type { Delivery, IsRecorded } from './delivery.ts';
import { ENVIRONMENTS } from '../limits.ts';
import { placeEventKey, placeShapeKey, sourceShapeKey, typeKey, versionKey, versionShapeKey } from '../place-keys.ts';
import { derivePropertyKeys } from '../property-keys.ts';
import { inKeyOrder } from '../rows.ts';
import type { Shape } from '../shape.ts';
import type {
  AppVersionRow,
  EventNameRow,
  ObservedShapeRow,
  ObservedTypeRow,
  PlaceColumns,
  ShapeRow,
  SourceShapeRow,
} from '../tables.ts';
import { compileUsageLock, type Holder, listHolders, toNovelty } from './usage.ts';

/** What the database knows of what a group brings, by the names of `place-keys.ts`. All of it is of one workspace. */
export interface ExistingShapes {
  /** Shapes in places; for these nothing else need be known. */
  placeShapes: ReadonlySet<string>;
  /** Shapes in versions of apps. */
  versionShapes: ReadonlySet<string>;
  /** How many shapes each version of an app has. */
  versions: ReadonlyMap<string, number>;
  /** Keys of event names. */
  eventNames: ReadonlySet<string>;
  /** Ids of shapes. */
  shapes: ReadonlySet<string>;
  /** Events in places: of what is new, in all environments. */
  placeEvents: ReadonlySet<string>;
  /** Shapes in sources and environments: of what is new, in all environments. */
  sourceShapes: ReadonlySet<string>;
  /** Types of properties in sources and environments. */
  types: ReadonlySet<string>;
  /** What has been brought, by holder. */
  usage: ReadonlyMap<string, Novelty>;
}

/** A shape that an event brings to a place. */
export interface BroughtShape {
  place: PlaceColumns;
  shape: Shape;
  keyId: string;
}

export type PlaceShape = Omit<PlaceColumns, 'workspace_id'> & Pick<ObservedShapeRow, 'event_key' | 'shape_id'>;
type PlaceEvent = Omit<PlaceShape, 'shape_id'>;

/** Whether a row was made of counts alone. Such were made once, where the database had lost the row that had the name. */
type Named<Key> = Key & Pick<ObservedShapeRow, 'event_name'>;
type SourceShape = Pick<SourceShapeRow, 'event_key' | 'shape_id' | 'source' | 'environment'>;
type TypeKey = Pick<ObservedTypeRow, 'event_key' | 'path_key' | 'type' | 'source' | 'environment'>;

const PLACE_SHAPE = ['event_key', 'source', 'app_version', 'environment', 'shape_id'] as const;
const PLACE_EVENT = ['event_key', 'source', 'app_version', 'environment'] as const;
const SOURCE_SHAPE = ['event_key', 'shape_id', 'source', 'environment'] as const;
const TYPE = ['event_key', 'path_key', 'type', 'source', 'environment'] as const;

/** Finds shapes in places, each by one step in an index. */
export const findPlaceShapes = new ManyKeys<PlaceShape, Named<PlaceShape>>('observed_shapes', PLACE_SHAPE, [
  ...PLACE_SHAPE,
  'event_name',
]);
const findPlaceEvents = new ManyKeys<PlaceEvent, Named<PlaceEvent>>('observed_events', PLACE_EVENT, [
  ...PLACE_EVENT,
  'event_name',
]);
const findVersions = new ManyKeys<Pick<AppVersionRow, 'source' | 'app_version'>, AppVersionRow>('app_versions', [
  'source',
  'app_version',
]);
const findEventNames = new ManyKeys<Pick<EventNameRow, 'event_key'>, Pick<EventNameRow, 'event_key'>>(
  'event_names',
  ['event_key'],
  ['event_key'],
);
const findShapes = new ManyKeys<Pick<ShapeRow, 'event_key' | 'shape_id'>, Pick<ShapeRow, 'shape_id'>>(
  'shapes',
  ['event_key', 'shape_id'],
  ['shape_id'],
);
const findSourceShapes = new ManyKeys<SourceShape, SourceShape>('source_shapes', SOURCE_SHAPE, SOURCE_SHAPE);
const findTypes = new ManyKeys<TypeKey, TypeKey>('observed_types', TYPE, TYPE);

/**
 * Looks up what an aggregator needs to know.
 *
 * @param brought what is not known for certain to be recorded, by {@link placeShapeKey}
 */
export async function findExistingShapes(
  tx: Transaction<Tables>,
  workspaceId: string,
  brought: ReadonlyMap<string, BroughtShape>,
): Promise<ExistingShapes> {
  const here = await findPlaceShapes.execute(tx, workspaceId, inKeyOrder(brought).map(placeShape));
  const found = new Set(here.filter(hasName).map((row) => placeShapeKey(row, row.shape_id)));
  const missing = [...brought].filter(([key]) => !found.has(key)).map(([, one]) => one);
  if (missing.length === 0) return { ...NOTHING_NEW, placeShapes: found };
  const anywhere = missing.flatMap(inEachEnvironment);
  // Until the transaction ends no other brings this workspace anything new: what is looked up from here on stays as it is.
  const [usage, everywhere, sourceShapeRows, versions, eventNames, shapeRows, placeEvents] = await executeTogether(tx, [
    compileUsageLock(tx, workspaceId, holders(missing)),
    findPlaceShapes.compile(tx, workspaceId, anywhere),
    findSourceShapes.compile(tx, workspaceId, distinct(anywhere, SOURCE_SHAPE)),
    findVersions.compile(tx, workspaceId, distinct(anywhere, ['source', 'app_version'])),
    findEventNames.compile(tx, workspaceId, distinct(anywhere, ['event_key'])),
    findShapes.compile(tx, workspaceId, distinct(anywhere, ['event_key', 'shape_id'])),
    findPlaceEvents.compile(tx, workspaceId, distinct(anywhere, PLACE_EVENT)),
  ]);
  const shapes = new Set(shapeRows.map((row) => row.shape_id));
  const placeShapes = everywhere.filter(hasName);
  const made = new Set(here.filter((row) => !hasName(row)).map((row) => sourceShapeKey(row, row.shape_id)));
  const sourceShapes = new Set(
    sourceShapeRows.filter(({ shape_id }) => shapes.has(shape_id)).map((row) => sourceShapeKey(row, row.shape_id)),
  );
  const types = await lookUpTypes(
    tx,
    workspaceId,
    missing.filter(({ place, shape }) => {
      const key = sourceShapeKey(place, shape.id);
      return made.has(key) || !sourceShapes.has(key);
    }),
  );
  for (const { place, shape } of missing) {
    const key = sourceShapeKey(place, shape.id);
    if (made.has(key) && lacksTypes(place, shape, types)) sourceShapes.delete(key);
  }
  return {
    placeShapes: new Set([...found, ...placeShapes.map((row) => placeShapeKey(row, row.shape_id))]),
    versionShapes: new Set(placeShapes.map((row) => versionShapeKey(row, row.shape_id))),
    versions: new Map(versions.map((row) => [versionKey(row), row.shapes])),
    eventNames: new Set(eventNames.map((row) => row.event_key)),
    shapes,
    placeEvents: new Set(placeEvents.filter(hasName).map((row) => placeEventKey(row, row.event_key))),
    sourceShapes,
    types,
    usage: new Map(usage.map((row) => [row.holder, toNovelty(row)])),
  };
}

const NOTHING_NEW: ExistingShapes = {
  placeShapes: new Set(),
  versionShapes: new Set(),
  versions: new Map(),
  eventNames: new Set(),
  shapes: new Set(),
  placeEvents: new Set(),
  sourceShapes: new Set(),
  types: new Set(),
  usage: new Map(),
};

function hasName({ event_name }: { event_name: string }): boolean {
  return event_name !== '';
}

/** Whether the shape's row in its source and environment was made of counts alone: then its properties are not known there. */
function lacksTypes(place: PlaceColumns, shape: Shape, types: ReadonlySet<string>): boolean {
  return derivePropertyKeys(shape).some((property) => !types.has(typeKey(shape, property, place)));
}

/** What the events of these deliveries bring that is not known to be recorded. */
export function listBroughtShapes(
  deliveries: readonly Delivery[],
  recordedIn: (place: PlaceColumns) => IsRecorded,
): Map<string, BroughtShape> {
  const brought = new Map<string, BroughtShape>();
  for (const { place, keyId, events } of deliveries) {
    const isRecorded = recordedIn(place);
    for (const { shape } of events) {
      if (!isRecorded(shape.id)) brought.set(placeShapeKey(place, shape.id), { place, shape, keyId });
    }
  }
  return brought;
}

function placeShape({ place, shape }: BroughtShape): PlaceShape {
  const { source, app_version, environment } = place;
  return { event_key: shape.eventKey, source, app_version, environment, shape_id: shape.id };
}

function inEachEnvironment(brought: BroughtShape): PlaceShape[] {
  return ENVIRONMENTS.map((environment) => ({ ...placeShape(brought), environment }));
}

function holders(brought: readonly BroughtShape[]): Iterable<Holder> {
  const all = brought.flatMap(({ place, keyId }) => listHolders(place.source, keyId));
  return new Map(all.map((holder) => [holder.name, holder])).values();
}

async function lookUpTypes(tx: Transaction<Tables>, workspaceId: string, brought: readonly BroughtShape[]) {
  const wanted = new Map<string, TypeKey>();
  for (const { place, shape } of brought) {
    const { source, environment } = place;
    for (const property of derivePropertyKeys(shape)) {
      const { pathKey: path_key, type } = property;
      wanted.set(typeKey(shape, property, place), { event_key: shape.eventKey, path_key, type, source, environment });
    }
  }
  const rows = await findTypes.execute(tx, workspaceId, inKeyOrder(wanted));
  return new Set(
    rows.map((row) => typeKey({ eventKey: row.event_key }, { pathKey: row.path_key, type: row.type }, row)),
  );
}

/** What the rows have in these columns, each once. */
function distinct<Column extends keyof PlaceShape>(
  rows: readonly PlaceShape[],
  columns: readonly Column[],
): Pick<PlaceShape, Column>[] {
  const keys = rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
  return inKeyOrder(new Map(keys.map((key) => [JSON.stringify(Object.values(key)), key as Pick<PlaceShape, Column>])));
}
