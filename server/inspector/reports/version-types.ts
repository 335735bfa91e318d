import type { Kysely } from 'kysely';
import { readRows } from '../../http/bounded-page.ts';
import type { Tables } from '../../storage/tables.ts';
import { boundedKey } from '../keys.ts';
import { propertyTypes } from '../property-types.ts';
import { parseSchema } from '../stored-schema.ts';
import type { CountColumns, ObservedShapeRow, ShapeRow } from '../tables.ts';
import { addSighting, FrequentTypes, type TypeInPlaces } from './frequent-types.ts';
import { chooseRange, type PlaceFilter } from './index-orders.ts';
import { columnsOf, firstRows, isWithin } from './index-range.ts';
import { eachWithSchema, type SizedShape, sizeOfSchema, withSizes } from './schema-look-up.ts';
import type { PropertyKey, SeenTypes } from './seen-types.ts';

/** The maximum number of an event's shapes read with the filter for one app version, and of their schemas' characters. */
const MOST_SHAPES = 2_000;
const MOST_SCHEMA_CHARACTERS = 8 * 1024 * 1024;

/** The number of shapes read at a time. */
const SHAPES_IN_A_PAGE = 200;

interface VersionFilter extends PlaceFilter {
  appVersion: string;
}

/** Gives the types of each property in one app version. They are stored across all versions, so these are read from its shapes. */
export async function* eachTypesInVersion<Property extends PropertyKey>(
  db: Kysely<Tables>,
  workspaceId: string,
  properties: readonly Property[],
  filter: VersionFilter,
): AsyncGenerator<SeenTypes<Property>> {
  for (const [eventKey, ofEvent] of Map.groupBy(properties, (property) => property.event_key)) {
    const found = await typesOfPaths(db, workspaceId, eventKey, filter, ofEvent);
    for (const property of ofEvent) {
      const types = new FrequentTypes();
      for (const type of found.get(property.path_key)?.values() ?? []) types.add(type);
      yield { property, types, read: 0 };
    }
  }
}

/** Returns the types of an event's properties, by path key and type. */
async function typesOfPaths(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKey: string,
  filter: VersionFilter,
  properties: readonly PropertyKey[],
): Promise<Map<string, Map<string, TypeInPlaces>>> {
  const found = new Map(properties.map(({ path_key }) => [path_key, new Map<string, TypeInPlaces>()]));
  for await (const { source, environment, schema } of shapesInVersion(db, workspaceId, eventKey, filter)) {
    const parsed = parseSchema(schema);
    for (const { text, type } of propertyTypes(parsed)) {
      const types = found.get(boundedKey(text));
      if (types === undefined) continue;
      const key = boundedKey(type);
      const inPlaces = types.get(key) ?? { type: key, shapes: 0, seenIn: [] };
      types.set(key, inPlaces);
      addSighting(inPlaces, { source, environment, first_version: filter.appVersion, shapes: 1 });
    }
  }
  return found;
}

type SeenShape = SizedShape<Omit<ObservedShapeRow, 'workspace_id' | 'event_name' | keyof CountColumns>>;

async function* shapesInVersion(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKey: string,
  filter: VersionFilter,
): AsyncGenerator<SeenShape & Pick<ShapeRow, 'schema'>> {
  let last: SeenShape | undefined;
  let shapes = 0;
  let characters = 0;
  for (let hasMore = true; hasMore && shapes < MOST_SHAPES && characters < MOST_SCHEMA_CHARACTERS;) {
    const after: SeenShape | undefined = last;
    const page = await readRows<SeenShape>({
      holder: workspaceId,
      limit: SHAPES_IN_A_PAGE,
      read: (row, count) => someShapes(db, workspaceId, eventKey, filter, row ?? after, count),
      sizeOf: ({ size }) => size,
    });
    for await (const shape of eachWithSchema(db, workspaceId, page.rows)) {
      characters += shape.schema.length;
      yield shape;
    }
    last = page.rows.at(-1);
    hasMore = page.hasMore;
    shapes += page.rows.length;
  }
}

async function someShapes(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKey: string,
  { appVersion, source, environment }: VersionFilter,
  after: SeenShape | undefined,
  count: number,
): Promise<SeenShape[]> {
  const { fixed, sorted } = chooseRange({ event_key: eventKey, source, app_version: appVersion, environment });
  const range = { fixed, sorted: [...sorted, 'shape_id'] } as const;
  const place = after === undefined ? [] : range.sorted.map((column) => after[column]);
  let shapes = db
    .selectFrom('observed_shapes')
    .select(['event_key', 'source', 'app_version', 'environment', 'shape_id'])
    .select(sizeOfSchema(workspaceId, 'observed_shapes').as('size'))
    .where('workspace_id', '=', workspaceId)
    .where(isWithin(range, place));
  for (const column of columnsOf(range)) shapes = shapes.orderBy(column);
  return withSizes(await shapes.limit(firstRows(count)).execute());
}
