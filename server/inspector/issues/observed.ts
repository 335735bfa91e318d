import type { Transaction } from 'kysely';
import { ManyKeys } from '../../storage/many-keys.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from '../ingest/delivery.ts';
import { boundedKey } from '../keys.ts';
import { type PropertyType, propertyTypes } from '../property-types.ts';
import { inKeyOrder } from '../rows.ts';
import { parseSchema } from '../stored-schema.ts';
import type { EventNameRow, ObservedPropertyRow, ShapeRow } from '../tables.ts';
import type { PlaceNews } from './news.ts';

/** A property of a shape with one of its types, as in keys. */
export interface SeenProperty extends Omit<PropertyType, 'type'> {
  path_key: string;
  /** `boundedKey` of the type as text. */
  type: string;
}

/** A shape that is new in a place. */
export interface SeenShape {
  news: PlaceNews;
  event_key: string;
  event_name: string;
  isNewInSource: boolean;
  properties: SeenProperty[];
}

type ShapeKey = Pick<ShapeRow, 'event_key' | 'shape_id'>;
type PropertyKey = Pick<ObservedPropertyRow, 'event_key' | 'path_key'>;

const findShapes = new ManyKeys<ShapeKey, ShapeRow>('shapes', ['event_key', 'shape_id']);

const findNames = new ManyKeys<Pick<EventNameRow, 'event_key'>, EventNameRow>('event_names', ['event_key']);

/** Without the path, which may be long. */
type PropertyRow = PropertyKey & Pick<ObservedPropertyRow, 'type' | 'conflicting'>;

const findProperties = new ManyKeys<PropertyKey, PropertyRow>(
  'observed_properties',
  ['event_key', 'path_key'],
  ['event_key', 'path_key', 'type', 'conflicting'],
);

/** Reads the requested shapes of the news, with their properties. */
export async function readShapes(
  tx: Transaction<Tables>,
  workspaceId: string,
  news: readonly PlaceNews[],
  isWanted: (news: PlaceNews, eventKey: string, isNewInSource: boolean) => boolean,
): Promise<SeenShape[]> {
  const wanted = news.flatMap((one) =>
    one.shapes
      .filter(([eventKey, , isNew]) => isWanted(one, eventKey, isNew === 1))
      .map(([event_key, shape_id, isNew]) => ({ news: one, event_key, shape_id, isNewInSource: isNew === 1 })),
  );
  const keys = new Map(wanted.map(({ event_key, shape_id }) => [shape_id, { event_key, shape_id }]));
  const shapes = await findShapes.execute(tx, workspaceId, inKeyOrder(keys));
  const properties = new Map(shapes.map(({ shape_id, schema }) => [shape_id, seenProperties(schema)]));
  const events = new Map(wanted.map(({ event_key }) => [event_key, { event_key }]));
  const names = await findNames.execute(tx, workspaceId, inKeyOrder(events));
  const nameOf = new Map(names.map(({ event_key, event_name }) => [event_key, event_name]));
  return wanted.map(({ shape_id, ...shape }) => ({
    ...shape,
    event_name: nameOf.get(shape.event_key) ?? '',
    properties: properties.get(shape_id) ?? [],
  }));
}

/** Returns the type first seen for each property with several types. */
export async function firstTypes(
  tx: Transaction<Tables>,
  workspaceId: string,
  shapes: readonly SeenShape[],
): Promise<(eventKey: string, pathKey: string) => string | undefined> {
  const keys = new Map(
    shapes.flatMap(({ event_key, properties }) =>
      properties.map(({ path_key }) => [joinKey(event_key, path_key), { event_key, path_key }] as const),
    ),
  );
  const rows = await findProperties.execute(tx, workspaceId, inKeyOrder(keys));
  const types = new Map(
    rows
      .filter(({ conflicting }) => conflicting === 1)
      .map(({ event_key, path_key, type }) => [joinKey(event_key, path_key), type]),
  );
  return (eventKey, pathKey) => types.get(joinKey(eventKey, pathKey));
}

/** Whether a shape's event was seen before its app version first had it: in another version, or another source. */
export async function hadAnother(
  tx: Transaction<Tables>,
  workspaceId: string,
  { event_key, news: { source, app_version } }: SeenShape,
): Promise<boolean> {
  const rows = tx
    .selectFrom('observed_events')
    .where('workspace_id', '=', workspaceId)
    .where('event_key', '=', event_key);
  const own = await rows
    .select(({ fn }) => fn.min('first_seen').as('first'))
    .where('source', '=', source)
    .where('app_version', '=', app_version)
    .executeTakeFirst();
  const before = await rows
    .select('first_seen')
    .where('first_seen', '<', own?.first ?? 0)
    .where(({ not, eb }) => not(eb.and([eb('source', '=', source), eb('app_version', '=', app_version)])))
    .limit(1)
    .executeTakeFirst();
  return before !== undefined;
}

function seenProperties(schema: string): SeenProperty[] {
  const parsed = parseSchema(schema);
  return propertyTypes(parsed).map(({ path, text, type }) => ({
    path,
    text,
    path_key: boundedKey(text),
    type: boundedKey(type),
  }));
}
