import type { Kysely } from 'kysely';
import type { components } from '../../generated/types.ts';
import { MOST_CHARACTERS, takeFitting } from '../../http/bounded-page.ts';
import { type CursorScope, decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { ManyKeys } from '../../storage/many-keys.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from '../ingest/delivery.ts';
import { boundedKey } from '../keys.ts';
import { ENVIRONMENTS, MAX_PLACES_NAMED, MAX_TYPES_NAMED, PAGE_SIZE } from '../limits.ts';
import type { ReportQuery } from './paging.ts';
import { boundsAmong, readShapes } from './place-shapes.ts';
import { type PropertyCounts, PropertySums, type TypeCounts } from './property-sums.ts';
import type { ObservedTypeRow, SourceShapeRow } from '../tables.ts';

type EventPropertyPage = components['schemas']['EventPropertyPage'];
type EventProperty = components['schemas']['EventProperty'];

export interface PropertyQuery extends ReportQuery {
  eventName: string;
}

/** In how many sources and environments together. */
const MOST_PLACES = 100;

/** A page of properties ends once it names so many types, each in a source and environment. */
const MOST_SIGHTINGS = 2_000;

/**
 * The properties of one event, in the order of their paths.
 *
 * @returns undefined when the cursor is not one of this report and filter
 */
export async function eventProperties(
  { db }: Storage,
  workspaceId: string,
  query: PropertyQuery,
): Promise<EventPropertyPage | undefined> {
  const { limit = PAGE_SIZE, cursor, eventName, source, environment, appVersion } = query;
  const scope: CursorScope = ['properties', workspaceId, eventName, source, environment, appVersion];
  const place = cursor === undefined ? [''] : decodeCursor(scope, cursor, ['string']);
  if (place === undefined) return undefined;
  // One more shows whether there is a next page.
  const sums = new PropertySums({ after: place[0] ?? '', most: limit + 1 });
  const sampled = await addShapes(db, workspaceId, query, sums);
  const rest = sums.properties();
  const page = takeFirst(rest, limit);
  const firstVersions = await readFirstVersions(db, workspaceId, boundedKey(eventName), page, appVersion);
  const properties = await takeFitting(
    workspaceId,
    page.map((property) => propertyView(property, sums.count, firstVersions)),
  );
  const last = page[properties.length - 1];
  return {
    eventName,
    count: sums.count,
    sampled,
    properties,
    nextCursor: last === undefined || rest.length === properties.length ? null : encodeCursor(scope, [last.orderKey]),
  };
}

/** The first properties, up to a limit; fewer where they, or their sources, have long names, or were seen with many types in many places. */
function takeFirst(properties: readonly PropertyCounts[], limit: number): PropertyCounts[] {
  let sightings = 0;
  let characters = 0;
  const end = properties.findIndex(({ path, types }) => {
    characters += JSON.stringify(path).length;
    for (const { places } of types.slice(0, MAX_TYPES_NAMED)) {
      const named = places.slice(0, MAX_PLACES_NAMED);
      sightings += named.length;
      for (const { source } of named) characters += source.length;
    }
    return sightings >= MOST_SIGHTINGS || characters >= MOST_CHARACTERS;
  });
  return properties.slice(0, end === -1 ? limit : Math.min(limit, end + 1));
}

/**
 * Adds up the shapes of the event, of each place as many.
 *
 * @returns whether there are more
 */
async function addShapes(
  db: Kysely<Tables>,
  workspaceId: string,
  query: PropertyQuery,
  sums: PropertySums,
): Promise<boolean> {
  const places = await readPlaces(db, workspaceId, query);
  const bounds = boundsAmong(places.length);
  let sampled = places.length > MOST_PLACES;
  for (const place of places.slice(0, MOST_PLACES)) {
    const hasMore = await readShapes(db, workspaceId, { ...query, ...place }, bounds, (shape) => sums.add(shape));
    sampled ||= hasMore;
  }
  return sampled;
}

type Place = Pick<SourceShapeRow, 'source' | 'environment'>;

async function readPlaces(
  db: Kysely<Tables>,
  workspaceId: string,
  { eventName, source, environment }: PropertyQuery,
): Promise<Place[]> {
  let totals = db
    .selectFrom('event_totals')
    .select(['source', 'environment'])
    .where('workspace_id', '=', workspaceId)
    .where('environment', 'in', environment === undefined ? ENVIRONMENTS : [environment])
    .where('event_key', '=', boundedKey(eventName));
  if (source !== undefined) totals = totals.where('source', '=', source);
  const rows = await totals
    .orderBy('environment')
    .orderBy('source')
    .limit(MOST_PLACES + 1)
    .execute();
  return rows.flatMap(({ source, environment }) => (environment === '' ? [] : [{ source, environment }]));
}

type TypeKey = Pick<ObservedTypeRow, 'event_key' | 'path_key' | 'type' | 'source' | 'environment'>;

const findFirstVersions = new ManyKeys<TypeKey, TypeKey & Pick<ObservedTypeRow, 'first_version'>>(
  'observed_types',
  ['event_key', 'path_key', 'type', 'source', 'environment'],
  ['event_key', 'path_key', 'type', 'source', 'environment', 'first_version'],
);

/** Which app version brought a type of a property to a place, by {@link firstVersionKey}. */
async function readFirstVersions(
  db: Kysely<Tables>,
  workspaceId: string,
  event_key: string,
  properties: readonly PropertyCounts[],
  appVersion: string | undefined,
): Promise<(pathKey: string, type: string, place: Place) => string> {
  if (appVersion !== undefined) return () => appVersion;
  const keys = properties.flatMap(({ pathKey, types }) =>
    types.slice(0, MAX_TYPES_NAMED).flatMap(({ type, places }) =>
      places.slice(0, MAX_PLACES_NAMED).map(({ source, environment }) => ({
        event_key,
        path_key: pathKey,
        type: boundedKey(type),
        source,
        environment,
      })),
    ),
  );
  const found = await findFirstVersions.execute(db, workspaceId, keys);
  const versions = new Map(found.map((row) => [firstVersionKey(row.path_key, row.type, row), row.first_version]));
  return (pathKey, type, place) => versions.get(firstVersionKey(pathKey, boundedKey(type), place)) ?? '';
}

function firstVersionKey(pathKey: string, type: string, { source, environment }: Place): string {
  return joinKey(pathKey, type, source, environment);
}

function propertyView(
  { path, pathKey, count, types, first_seen, last_seen }: PropertyCounts,
  events: number,
  firstVersionOf: Awaited<ReturnType<typeof readFirstVersions>>,
): EventProperty {
  const typeView = ({ type, count, places }: TypeCounts): EventProperty['types'][number] => ({
    type,
    count,
    seenIn: places
      .slice(0, MAX_PLACES_NAMED)
      .map((place) => ({ ...place, appVersion: firstVersionOf(pathKey, type, place) })),
  });
  return {
    property: [...path],
    presence: count / events,
    count,
    types: types.slice(0, MAX_TYPES_NAMED).map(typeView),
    firstSeen: new Date(first_seen).toISOString(),
    lastSeen: new Date(last_seen).toISOString(),
  };
}
