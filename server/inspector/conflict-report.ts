import { type Kysely, sql } from 'kysely';
import { takeTurn } from '../generated/turns.ts';
import type { components } from '../generated/types.ts';
import { MOST_CHARACTERS } from '../http/bounded-page.ts';
import { ManyKeys } from '../storage/many-rows.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { joined } from './delivery.ts';
import type { EventSchema } from './event-schema.ts';
import { boundedKey } from './keys.ts';
import { MAX_PLACES_NAMED, MAX_TYPES_NAMED } from './limits.ts';
import { type Page, type Paging, pagingBy, type ReportQuery } from './paging.ts';
import { propertyTypes } from './property-types.ts';
import type { ObservedPropertyRow, ObservedTypeRow } from './tables.ts';

type TypeConflict = components['schemas']['TypeConflict'];

/** How many properties a page looks at: one that the filter leaves little of may be shorter than was asked for. */
const MOST_CANDIDATES = 1_000;

/** How many shapes of an event are looked at where only one app version counts. */
const MOST_SHAPES = 2_000;

/** How many properties' types are read at a time. */
const PROPERTIES_IN_A_TURN = 25;

/** After so many schemas others get their turn. */
const SCHEMAS_IN_A_TURN = 50;

const COLUMNS = ['event_key', 'path_key'] as const;

/** A type of a property in a source and environment. */
type SeenType = Omit<ObservedTypeRow, 'workspace_id'>;

type PropertyKey = Pick<ObservedPropertyRow, 'event_key' | 'path_key'>;

const findTypes = new ManyKeys<PropertyKey, ObservedTypeRow>(COLUMNS, (db, wanted) =>
  db.selectFrom('observed_types').selectAll().where(wanted),
);

/**
 * The properties of a workspace's events that have more than one type among the shapes that the filter leaves.
 *
 * @returns undefined when the cursor is not one of this report and filter
 */
export async function typeConflicts(
  { db }: Storage,
  workspaceId: string,
  query: ReportQuery,
): Promise<Page<TypeConflict> | undefined> {
  const paging = pagingBy(COLUMNS, workspaceId, query);
  if (paging === undefined) return undefined;
  const { limit } = paging;
  const candidates = await conflictingProperties(db, workspaceId, query, paging);
  const entries: TypeConflict[] = [];
  let size = 0;
  for (let start = 0; start < candidates.length; start += PROPERTIES_IN_A_TURN) {
    await takeTurn(workspaceId);
    const portion = candidates.slice(start, start + PROPERTIES_IN_A_TURN);
    const types = Map.groupBy(await typesOf(db, workspaceId, portion, query), keyOf);
    for (const [index, property] of portion.entries()) {
      const seen = types.get(keyOf(property)) ?? [];
      if (!haveSeveralTypes(seen)) continue;
      const entry = { eventName: property.event_name, property: JSON.parse(property.path), types: typesView(seen) };
      entries.push(entry);
      size += sizeOf(entry);
      const isFull = entries.length === limit || size >= MOST_CHARACTERS;
      const isLast = start + index === candidates.length - 1;
      if (isFull) return { entries, nextCursor: isLast ? null : paging.cursorAfter(property) };
    }
  }
  const last = candidates.length === MOST_CANDIDATES ? candidates.at(-1) : undefined;
  return { entries, nextCursor: last === undefined ? null : paging.cursorAfter(last) };
}

/** Those that have several types anywhere, from where the page begins. */
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
    // Literal, so that the engines see that the partial index applies.
    .where(sql<boolean>`conflicting = 1`);
  const asked = eventName === undefined ? conflicting : conflicting.where('event_key', '=', boundedKey(eventName));
  return asked.where(after()).orderBy('event_key').orderBy('path_key').limit(MOST_CANDIDATES).execute();
}

/** The types that properties have among the shapes that the filter leaves. */
async function typesOf(
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

/** Types are kept for all app versions together; those in one are in the shapes that it has. */
async function typesInVersion(
  db: Kysely<Tables>,
  workspaceId: string,
  properties: readonly ObservedPropertyRow[],
  filter: ReportQuery & { appVersion: string },
): Promise<SeenType[]> {
  const found = new Map<string, SeenType>();
  for (const [event_key, ofEvent] of Map.groupBy(properties, (property) => property.event_key)) {
    const paths = new Map(ofEvent.map(({ path, path_key }) => [path, path_key]));
    const shapes = await shapesInVersion(db, workspaceId, event_key, filter);
    for (const [index, { source, environment, schema }] of shapes.entries()) {
      if (index % SCHEMAS_IN_A_TURN === 0) await takeTurn(workspaceId);
      const parsed: EventSchema = JSON.parse(schema);
      for (const { path, type } of propertyTypes(parsed)) {
        const path_key = paths.get(JSON.stringify(path));
        if (path_key === undefined) continue;
        const row = { event_key, path_key, type: boundedKey(type), source, environment };
        const key = joined(...Object.values(row));
        const shapes = (found.get(key)?.shapes ?? 0) + 1;
        found.set(key, { ...row, first_version: filter.appVersion, shapes });
      }
    }
  }
  return [...found.values()];
}

function shapesInVersion(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKey: string,
  { appVersion, source, environment }: ReportQuery & { appVersion: string },
) {
  let shapes = db
    .selectFrom('observed_shapes as seen')
    .innerJoin('shapes', (join) =>
      join
        .onRef('shapes.workspace_id', '=', 'seen.workspace_id')
        .onRef('shapes.event_key', '=', 'seen.event_key')
        .onRef('shapes.shape_id', '=', 'seen.shape_id'),
    )
    .select(['seen.source', 'seen.environment', 'shapes.schema'])
    .where('seen.workspace_id', '=', workspaceId)
    .where('shapes.workspace_id', '=', workspaceId)
    .where('seen.event_key', '=', eventKey)
    .where('seen.app_version', '=', appVersion);
  if (source !== undefined) shapes = shapes.where('seen.source', '=', source);
  if (environment !== undefined) shapes = shapes.where('seen.environment', '=', environment);
  return shapes
    .orderBy('seen.source')
    .orderBy('seen.environment')
    .orderBy('seen.shape_id')
    .limit(MOST_SHAPES)
    .execute();
}

function keyOf({ event_key, path_key }: PropertyKey): string {
  return joined(event_key, path_key);
}

function haveSeveralTypes(seen: readonly SeenType[]): boolean {
  return seen.some(({ type }) => type !== seen[0]?.type);
}

/** The type of the most shapes comes first; its places in the order of their names. */
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

/** In characters, roughly. */
function sizeOf({ eventName, property, types }: TypeConflict): number {
  const texts = types.flatMap(({ type, seenIn }) => [
    type,
    ...seenIn.flatMap(({ source, appVersion }) => [source, appVersion]),
  ]);
  return [eventName, ...property, ...texts].reduce((sum, text) => sum + text.length + 16, 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
