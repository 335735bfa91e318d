import type { Kysely } from 'kysely';
import type { components } from '../generated/types.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { joined } from './delivery.ts';
import { boundedKey } from './keys.ts';
import { MAX_PLACES_NAMED } from './limits.ts';
import { type Page, type Paging, pagingBy, type ReportQuery } from './paging.ts';
import { type PlaceFilter, scopeOf } from './scopes.ts';

type TypeConflict = components['schemas']['TypeConflict'];

const COLUMNS = ['event_key', 'path_key'] as const;

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
  const paging = pagingBy(COLUMNS, query);
  if (paging === undefined) return undefined;
  const rows = await typesOf(db, conflictsIn(db, workspaceId, query, paging), query).execute();
  const properties = new Map(rows.map((row) => [keyOf(row), row]));
  const types = Map.groupBy(rows, keyOf);
  return paging.pageOf([...properties.values()], (property) => ({
    eventName: property.event_name,
    property: JSON.parse(property.path),
    types: typesView(types.get(keyOf(property)) ?? []),
  }));
}

/** The keys of the page's properties. */
function conflictsIn(db: Kysely<Tables>, workspaceId: string, query: ReportQuery, { after, rows }: Paging<string>) {
  const conflicts = db
    .selectFrom('type_conflicts')
    .select(['workspace_id', 'event_key', 'path_key'])
    .where('workspace_id', '=', workspaceId)
    .where('scope', '=', scopeOf(query));
  const { eventName } = query;
  const asked = eventName === undefined ? conflicts : conflicts.where('event_key', '=', boundedKey(eventName));
  return asked.where(after).orderBy('event_key').orderBy('path_key').limit(rows);
}

/** A row for each property, type and place, of which only the first few places are kept. */
function typesOf(db: Kysely<Tables>, page: ReturnType<typeof conflictsIn>, filter: PlaceFilter) {
  const seen = db
    .selectFrom(page.as('page'))
    .innerJoin('observed_properties as property', (join) =>
      join
        .onRef('property.workspace_id', '=', 'page.workspace_id')
        .onRef('property.event_key', '=', 'page.event_key')
        .onRef('property.path_key', '=', 'page.path_key'),
    )
    .innerJoin('observed_types as seen', (join) =>
      join
        .onRef('seen.workspace_id', '=', 'page.workspace_id')
        .onRef('seen.event_key', '=', 'page.event_key')
        .onRef('seen.path_key', '=', 'page.path_key'),
    )
    .where((eb) =>
      eb.and({
        ...(filter.source !== undefined && { 'seen.source': filter.source }),
        ...(filter.environment !== undefined && { 'seen.environment': filter.environment }),
        ...(filter.appVersion !== undefined && { 'seen.app_version': filter.appVersion }),
      }),
    )
    .select(['page.event_key', 'page.path_key', 'property.event_name', 'property.path'])
    .select(['seen.type', 'seen.source', 'seen.environment', 'seen.app_version'])
    .select(({ fn }) => [
      fn
        .sum<number>('seen.shapes')
        .over((over) => over.partitionBy(['page.event_key', 'page.path_key', 'seen.type']))
        .as('total'),
      fn
        .agg<number>('row_number')
        .over((over) =>
          over
            .partitionBy(['page.event_key', 'page.path_key', 'seen.type'])
            .orderBy('seen.source')
            .orderBy('seen.app_version')
            .orderBy('seen.environment'),
        )
        .as('place'),
    ]);
  return db
    .selectFrom(seen.as('seen'))
    .selectAll()
    .where('place', '<=', MAX_PLACES_NAMED)
    .orderBy('event_key')
    .orderBy('path_key')
    .orderBy('total', 'desc')
    .orderBy('type')
    .orderBy('place');
}

/** A type that a property was seen with, and one of the places where. */
type TypeRow = Awaited<ReturnType<ReturnType<typeof typesOf>['execute']>>[number];

function keyOf({ event_key, path_key }: TypeRow): string {
  return joined(event_key, path_key);
}

function typesView(rows: readonly TypeRow[]): TypeConflict['types'] {
  return [...Map.groupBy(rows, (row) => row.type)].map(([type, places]) => ({
    type,
    shapes: Number(places[0]?.total),
    seenIn: places.map(({ source, environment, app_version }) => ({ source, environment, appVersion: app_version })),
  }));
}
