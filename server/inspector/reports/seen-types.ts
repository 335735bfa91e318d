import { takeTurn } from '@branchline/runtime';
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { requireWanted } from '../../storage/holder.ts';
import type { Tables } from '../../storage/tables.ts';
import { executeTogether } from '../../storage/together.ts';
import { joinKey } from '../ingest/delivery.ts';
import type { ObservedPropertyRow } from '../tables.ts';
import { addSighting, FrequentTypes, type Sighting, type TypeInPlaces } from './frequent-types.ts';
import type { PlaceFilter } from './index-orders.ts';

export type PropertyKey = Pick<ObservedPropertyRow, 'event_key' | 'path_key'>;

/** The types that a property was seen with. */
export interface SeenTypes<Property extends PropertyKey = PropertyKey> {
  property: Property;
  types: FrequentTypes;
  /** How many rows were read for them. */
  read: number;
}

/** The number of properties whose first sightings are read at a time, and how many of each: few have more. */
export const PROPERTIES_IN_A_TURN = 25;
const FIRST_SIGHTINGS = 40;

/** The number of further sightings read at a time. Each is short: all texts in it are bounded. */
const SIGHTINGS_IN_A_TURN = 1_000;

/**
 * Gives the types of each property across all app versions, one property after the other. A property may have as many sightings
 * as a workspace's budget permits; whoever has seen enough reads no further.
 */
export async function* eachSeenTypes<Property extends PropertyKey>(
  db: Kysely<Tables>,
  workspaceId: string,
  properties: readonly Property[],
  filter: Pick<PlaceFilter, 'source' | 'environment'>,
): AsyncGenerator<SeenTypes<Property>> {
  for (let start = 0; start < properties.length; start += PROPERTIES_IN_A_TURN) {
    await takeTurn(workspaceId);
    requireWanted();
    const portion = properties.slice(start, start + PROPERTIES_IN_A_TURN);
    const queries = portion.map((property) => [findSightings(db, workspaceId, property, undefined, FIRST_SIGHTINGS)]);
    const first = await executeTogether(db, queries);
    for (const [index, property] of portion.entries()) {
      yield await addUp(db, workspaceId, property, first[index] ?? [], filter);
    }
  }
}

/** Returns the most frequent types of properties across all app versions. */
export async function typesSeen(
  db: Kysely<Tables>,
  workspaceId: string,
  properties: readonly PropertyKey[],
): Promise<(property: PropertyKey) => TypeInPlaces[]> {
  const different = new Map(properties.map((property) => [propertyKey(property), property]));
  const seen = new Map<string, TypeInPlaces[]>();
  for await (const { property, types } of eachSeenTypes(db, workspaceId, [...different.values()], {})) {
    seen.set(propertyKey(property), types.named);
  }
  return (property) => seen.get(propertyKey(property)) ?? [];
}

/** Adds up the sightings of a property: the first ones, and those behind them. */
async function addUp<Property extends PropertyKey>(
  db: Kysely<Tables>,
  workspaceId: string,
  property: Property,
  first: readonly Sighting[],
  { source, environment }: Pick<PlaceFilter, 'source' | 'environment'>,
): Promise<SeenTypes<Property>> {
  const types = new FrequentTypes();
  let current: TypeInPlaces | undefined;
  let read = 0;
  let hasMore = first.length === FIRST_SIGHTINGS;
  for (let sightings = first; ;) {
    read += sightings.length;
    for (const sighting of sightings) {
      if (source !== undefined && sighting.source !== source) continue;
      if (environment !== undefined && sighting.environment !== environment) continue;
      if (current?.type !== sighting.type) {
        if (current !== undefined) types.add(current);
        current = { type: sighting.type, shapes: 0, seenIn: [] };
      }
      addSighting(current, sighting);
    }
    const last = sightings.at(-1);
    if (!hasMore || last === undefined) break;
    await takeTurn(workspaceId);
    requireWanted();
    const [found] = await executeTogether(db, [[findSightings(db, workspaceId, property, last, SIGHTINGS_IN_A_TURN)]]);
    sightings = found;
    hasMore = found.length === SIGHTINGS_IN_A_TURN;
  }
  if (current !== undefined) types.add(current);
  return { property, types, read };
}

/** Finds the first sightings of a property, or those after one, by type, source and environment: the primary key. */
function findSightings(
  db: Kysely<Tables>,
  workspaceId: string,
  { event_key, path_key }: PropertyKey,
  after: Sighting | undefined,
  count: number,
): CompiledQuery<Sighting> {
  const { type = '', source = '', environment = '' } = after ?? {};
  return sql<Sighting>`
    select type, source, environment, first_version, shapes from observed_types
    where workspace_id = ${workspaceId} and event_key = ${event_key} and path_key = ${path_key}
      and (type, source, environment) > (${type}, ${source}, ${environment})
    order by type, source, environment limit ${count}`.compile(db);
}

/** Identifies a property within one workspace, as a key of maps. */
export function propertyKey({ event_key, path_key }: PropertyKey): string {
  return joinKey(event_key, path_key);
}
