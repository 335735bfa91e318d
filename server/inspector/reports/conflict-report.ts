import { takeTurn } from '@branchline/runtime';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { components } from '../../generated/types.ts';
import { MOST_CHARACTERS, readRows } from '../../http/bounded-page.ts';
import { requireWanted } from '../../storage/holder.ts';
import { ManyKeys } from '../../storage/many-keys.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from '../ingest/delivery.ts';
import type { EventSchema } from '../event-schema.ts';
import { boundedKey } from '../keys.ts';
import { MAX_PLACES_NAMED, MAX_TYPES_NAMED } from '../limits.ts';
import { type Page, type Paging, pagingBy, type ReportQuery } from './paging.ts';
import { propertyTypes } from '../property-types.ts';
import type { ObservedPropertyRow, ObservedShapeRow, ObservedTypeRow, ShapeRow } from '../tables.ts';

type TypeConflict = components['schemas']['TypeConflict'];

/** The number of properties that a page searches; with a narrow filter it may be shorter than requested. */
const MOST_CANDIDATES = 1_000;

/** The maximum number of an event's shapes read with the filter for one app version, and of their schemas' characters. */
const MOST_SHAPES = 2_000;
const MOST_SCHEMA_CHARACTERS = 8 * 1024 * 1024;

/** The number of shapes read at a time. */
const SHAPES_IN_A_PAGE = 200;

/** The number of properties whose types are read at a time. */
const PROPERTIES_IN_A_TURN = 25;

/** Others get a turn after this number of characters of schemas. */
const CHARACTERS_IN_A_TURN = 64 * 1024;

const COLUMNS = ['event_key', 'path_key'] as const;

/** A type of a property in a source and environment. */
type SeenType = Omit<ObservedTypeRow, 'workspace_id'>;

type PropertyKey = Pick<ObservedPropertyRow, 'event_key' | 'path_key'>;

const findTypes = new ManyKeys<PropertyKey, ObservedTypeRow>('observed_types', COLUMNS);

/**
 * Lists the properties of a workspace's events that have several types among the shapes that pass the filter.
 *
 * @returns undefined if the cursor does not belong to this report and filter
 */
export async function typeConflicts(
  { db }: Storage,
  workspaceId: string,
  query: ReportQuery,
): Promise<Page<TypeConflict> | undefined> {
  const paging = pagingBy({ fixed: [], sorted: COLUMNS }, workspaceId, query);
  if (paging === undefined) return undefined;
  const { limit } = paging;
  const candidates = await conflictingProperties(db, workspaceId, query, paging);
  const entries: TypeConflict[] = [];
  let size = 0;
  for (let start = 0; start < candidates.length; start += PROPERTIES_IN_A_TURN) {
    await takeTurn(workspaceId);
    requireWanted();
    const portion = candidates.slice(start, start + PROPERTIES_IN_A_TURN);
    const types = Map.groupBy(await readTypes(db, workspaceId, portion, query), propertyKey);
    for (const [index, property] of portion.entries()) {
      const seen = types.get(propertyKey(property)) ?? [];
      if (!haveSeveralTypes(seen)) continue;
      const entry = { eventName: property.event_name, property: JSON.parse(property.path), types: typesView(seen) };
      entries.push(entry);
      size += conflictSize(entry);
      const isFull = entries.length === limit || size >= MOST_CHARACTERS;
      const isLast = start + index === candidates.length - 1;
      if (isFull) return { entries, nextCursor: isLast ? null : paging.cursorAfter(property) };
    }
  }
  const last = candidates.length === MOST_CANDIDATES ? candidates.at(-1) : undefined;
  return { entries, nextCursor: last === undefined ? null : paging.cursorAfter(last) };
}

/** Returns the properties that have several types anywhere, from the beginning of the page. */
function conflictingProperties(
  db: Kysely<Tables>,
  workspaceId: string,
  { eventName }: ReportQuery,
  { after }: Paging<(typeof COLUMNS)[number]>,
): Promise<ObservedPropertyRow[]> {
  const conflicting = db
    .selectFrom('observed_properties')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    // A literal, so that the engines see that the partial index applies.
    .where(sql<boolean>`conflicting = 1`);
  const asked = eventName === undefined ? conflicting : conflicting.where('event_key', '=', boundedKey(eventName));
  return asked.where(after()).orderBy('event_key').orderBy('path_key').limit(MOST_CANDIDATES).execute();
}

/** Returns the properties' types among the shapes that pass the filter. */
async function readTypes(
  db: Kysely<Tables>,
  workspaceId: string,
  properties: readonly ObservedPropertyRow[],
  filter: ReportQuery,
): Promise<SeenType[]> {
  const { source, environment, appVersion } = filter;
  if (appVersion !== undefined) return typesInVersion(db, workspaceId, properties, { ...filter, appVersion });
  const keys = properties.map(({ event_key, path_key }) => ({ event_key, path_key }));
  const types = await findTypes.execute(db, workspaceId, keys);
  return types.filter(
    (type) =>
      (source === undefined || type.source === source) &&
      (environment === undefined || type.environment === environment),
  );
}

/** Returns the properties' types across all app versions. */
export async function typesSeen(
  db: Kysely<Tables>,
  workspaceId: string,
  properties: readonly PropertyKey[],
): Promise<(property: PropertyKey) => TypeConflict['types']> {
  const seen = new Map<string, TypeConflict['types']>();
  for (let start = 0; start < properties.length; start += PROPERTIES_IN_A_TURN) {
    await takeTurn(workspaceId);
    requireWanted();
    const keys = new Map(
      properties
        .slice(start, start + PROPERTIES_IN_A_TURN)
        .map(({ event_key, path_key }) => [propertyKey({ event_key, path_key }), { event_key, path_key }]),
    );
    const types = await findTypes.execute(db, workspaceId, [...keys.values()]);
    for (const [key, ofProperty] of Map.groupBy(types, propertyKey)) seen.set(key, typesView(ofProperty));
  }
  return (property) => seen.get(propertyKey(property)) ?? [];
}

/** Types are stored across all app versions; those of one version are read from its shapes. */
async function typesInVersion(
  db: Kysely<Tables>,
  workspaceId: string,
  properties: readonly ObservedPropertyRow[],
  filter: ReportQuery & { appVersion: string },
): Promise<SeenType[]> {
  const found = new Map<string, SeenType>();
  for (const [event_key, ofEvent] of Map.groupBy(properties, (property) => property.event_key)) {
    const paths = new Map(ofEvent.map(({ path, path_key }) => [path, path_key]));
    let read = 0;
    for await (const { source, environment, schema } of shapesInVersion(db, workspaceId, event_key, filter)) {
      read += schema.length;
      if (read > CHARACTERS_IN_A_TURN) {
        await takeTurn(workspaceId);
        requireWanted();
        read = 0;
      }
      const parsed: EventSchema = JSON.parse(schema);
      for (const { path, type } of propertyTypes(parsed)) {
        const path_key = paths.get(JSON.stringify(path));
        if (path_key === undefined) continue;
        const row = { event_key, path_key, type: boundedKey(type), source, environment };
        const key = joinKey(...Object.values(row));
        const shapes = (found.get(key)?.shapes ?? 0) + 1;
        found.set(key, { ...row, first_version: filter.appVersion, shapes });
      }
    }
  }
  return [...found.values()];
}

type SeenShape = Pick<ObservedShapeRow, 'source' | 'environment' | 'shape_id'> & Pick<ShapeRow, 'schema'>;

async function* shapesInVersion(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKey: string,
  filter: ReportQuery & { appVersion: string },
): AsyncGenerator<SeenShape> {
  let last: SeenShape | undefined;
  let shapes = 0;
  let characters = 0;
  for (let hasMore = true; hasMore && shapes < MOST_SHAPES && characters < MOST_SCHEMA_CHARACTERS;) {
    const after: SeenShape | undefined = last;
    const page = await readRows<SeenShape>({
      holder: workspaceId,
      limit: SHAPES_IN_A_PAGE,
      read: (row, count) =>
        someShapes(db, workspaceId, eventKey, filter, row ?? after)
          .limit(count)
          .execute(),
      sizeOf: ({ schema }) => schema.length,
    });
    yield* page.rows;
    last = page.rows.at(-1);
    hasMore = page.hasMore;
    shapes += page.rows.length;
    characters += page.rows.reduce((sum, { schema }) => sum + schema.length, 0);
  }
}

function someShapes(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKey: string,
  { appVersion, source, environment }: ReportQuery & { appVersion: string },
  after: SeenShape | undefined,
) {
  let shapes = db
    .selectFrom('observed_shapes as seen')
    .innerJoin('shapes', (join) =>
      join
        .onRef('shapes.workspace_id', '=', 'seen.workspace_id')
        .onRef('shapes.event_key', '=', 'seen.event_key')
        .onRef('shapes.shape_id', '=', 'seen.shape_id'),
    )
    .select(['seen.source', 'seen.environment', 'seen.shape_id', 'shapes.schema'])
    .where('seen.workspace_id', '=', workspaceId)
    .where('shapes.workspace_id', '=', workspaceId)
    .where('seen.event_key', '=', eventKey)
    .where('seen.app_version', '=', appVersion);
  if (source !== undefined) shapes = shapes.where('seen.source', '=', source);
  if (environment !== undefined) shapes = shapes.where('seen.environment', '=', environment);
  if (after !== undefined) {
    const place = sql<SqlBool>`(seen.source, seen.environment, seen.shape_id) > (${after.source}, ${after.environment}, ${after.shape_id})`;
    shapes = shapes.where(place);
  }
  return shapes.orderBy('seen.source').orderBy('seen.environment').orderBy('seen.shape_id');
}

function propertyKey({ event_key, path_key }: PropertyKey): string {
  return joinKey(event_key, path_key);
}

function haveSeveralTypes(seen: readonly SeenType[]): boolean {
  return seen.some(({ type }) => type !== seen[0]?.type);
}

/** Sorts types by their number of shapes, and places by name. */
function typesView(seen: readonly SeenType[]): TypeConflict['types'] {
  const types = [...Map.groupBy(seen, ({ type }) => type)].map(([type, places]) => ({
    type,
    shapes: places.reduce((sum, { shapes }) => sum + shapes, 0),
    seenIn: places
      .toSorted((a, b) => compare(a.source, b.source) || compare(a.environment, b.environment))
      .slice(0, MAX_PLACES_NAMED)
      .map(({ source, environment, first_version }) => ({ source, environment, appVersion: first_version })),
  }));
  return types.toSorted((a, b) => b.shapes - a.shapes || compare(a.type, b.type)).slice(0, MAX_TYPES_NAMED);
}

/** The approximate size, in characters. */
function conflictSize({ eventName, property, types }: TypeConflict): number {
  const texts = types.flatMap(({ type, seenIn }) => [
    type,
    ...seenIn.flatMap(({ source, appVersion }) => [source, appVersion]),
  ]);
  return [eventName, ...property, ...texts].reduce((sum, text) => sum + text.length + 16, 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
