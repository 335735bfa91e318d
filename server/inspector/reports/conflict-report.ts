import { takeTurn } from '@branchline/runtime';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { components } from '../../generated/types.ts';
import { MOST_BYTES, readRows } from '../../http/bounded-page.ts';
import { requireWanted } from '../../storage/holder.ts';
import { ManyKeys } from '../../storage/many-keys.ts';
import type { Storage } from '../../storage/storage.ts';
import { isTexts, parseStored } from '../../storage/stored-json.ts';
import type { Tables } from '../../storage/tables.ts';
import { boundedKey } from '../keys.ts';
import type { ObservedPropertyRow } from '../tables.ts';
import { firstRows, type IndexRange } from './index-range.ts';
import { type Page, pagingBy, type ReportQuery } from './paging.ts';
import { eachSeenTypes, PROPERTIES_IN_A_TURN, type PropertyKey, propertyKey, type SeenTypes } from './seen-types.ts';
import { eachTypesInVersion } from './version-types.ts';

type TypeConflict = components['schemas']['TypeConflict'];

/** The number of properties that a page searches; with a narrow filter it may be shorter than requested. */
const MOST_SEARCHED = 1_000;

/** A page ends after the property with which it has read this number of sightings: types, each in a source and environment. */
const MOST_SIGHTINGS = 20_000;

const COLUMNS = ['event_key', 'path_key'] as const;

type PropertyName = PropertyKey & Pick<ObservedPropertyRow, 'event_name' | 'path'>;

const findNames = new ManyKeys<PropertyKey, PropertyName>('observed_properties', COLUMNS, [
  ...COLUMNS,
  'event_name',
  'path',
]);

/** A conflict as it is sent. */
interface ShownConflict {
  seen: SeenTypes;
  entry: TypeConflict;
  /** Of its JSON. */
  bytes: number;
}

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
  const paging = pagingBy(rangeOf(query), workspaceId, query);
  if (paging === undefined) return undefined;
  const { limit } = paging;
  const entries: TypeConflict[] = [];
  let bytes = 0;
  let read = 0;
  let last: PropertyKey | undefined;
  const isFull = () => entries.length === limit || bytes >= MOST_BYTES || read >= MOST_SIGHTINGS;
  for (let searched = 0; searched < MOST_SEARCHED && !isFull(); searched += PROPERTIES_IN_A_TURN) {
    await takeTurn(workspaceId);
    requireWanted();
    const found = await conflictingProperties(db, workspaceId, paging.after(last));
    const conflicts: SeenTypes[] = [];
    for await (const seen of eachTypes(db, workspaceId, found.slice(0, PROPERTIES_IN_A_TURN), query)) {
      last = seen.property;
      read += seen.read;
      if (seen.types.count > 1) conflicts.push(seen);
      if (entries.length + conflicts.length === limit || read >= MOST_SIGHTINGS) break;
    }
    for (const { seen, entry, bytes: ofEntry } of await readConflicts(db, workspaceId, conflicts)) {
      entries.push(entry);
      bytes += ofEntry;
      if (bytes < MOST_BYTES) continue;
      // Those found behind it are for the next page.
      last = seen.property;
      break;
    }
    if (found.length === 0 || last === found.at(-1)) return { entries, nextCursor: null };
  }
  return { entries, nextCursor: last === undefined ? null : paging.cursorAfter(last) };
}

/** The properties of all events, or of one. */
function rangeOf({ eventName }: ReportQuery): IndexRange<keyof PropertyKey> {
  return eventName === undefined
    ? { fixed: [], sorted: COLUMNS }
    : { fixed: [['event_key', boundedKey(eventName)]], sorted: ['path_key'] };
}

/** Returns the first properties that have several types anywhere; one more shows whether others follow. */
function conflictingProperties(
  db: Kysely<Tables>,
  workspaceId: string,
  isAfter: RawBuilder<SqlBool>,
): Promise<PropertyKey[]> {
  return (
    db
      .selectFrom('observed_properties')
      // These are in the index; the names are read of what is shown, since they may be long.
      .select(COLUMNS)
      .where('workspace_id', '=', workspaceId)
      // A literal, so that the engines see that the partial index applies.
      .where(sql<boolean>`conflicting = 1`)
      .where(isAfter)
      .orderBy('event_key')
      .orderBy('path_key')
      .limit(firstRows(PROPERTIES_IN_A_TURN + 1))
      .execute()
  );
}

/** Gives the types of each property among the shapes that pass the filter. */
function eachTypes(
  db: Kysely<Tables>,
  workspaceId: string,
  properties: readonly PropertyKey[],
  filter: ReportQuery,
): AsyncGenerator<SeenTypes> {
  const { appVersion } = filter;
  return appVersion === undefined
    ? eachSeenTypes(db, workspaceId, properties, filter)
    : eachTypesInVersion(db, workspaceId, properties, { ...filter, appVersion });
}

/** Reads the names of conflicts: of the first ones, until they fill a page. */
async function readConflicts(
  db: Kysely<Tables>,
  workspaceId: string,
  conflicts: readonly SeenTypes[],
): Promise<ShownConflict[]> {
  const { rows } = await readRows<ShownConflict>({
    holder: workspaceId,
    limit: conflicts.length,
    read: (last, count) => {
      const start = last === undefined ? 0 : conflicts.indexOf(last.seen) + 1;
      return showConflicts(db, workspaceId, conflicts.slice(start, start + count));
    },
    sizeOf: ({ bytes }) => bytes,
  });
  return rows;
}

async function showConflicts(
  db: Kysely<Tables>,
  workspaceId: string,
  conflicts: readonly SeenTypes[],
): Promise<ShownConflict[]> {
  const keys = conflicts.map(({ property }) => property);
  const names = new Map((await findNames.execute(db, workspaceId, keys)).map((row) => [propertyKey(row), row]));
  return conflicts.flatMap((seen) => {
    const name = names.get(propertyKey(seen.property));
    if (name === undefined) return [];
    const property = parseStored('observed_properties.path', name.path, isTexts);
    const entry = { eventName: name.event_name, property, types: seen.types.named };
    return [{ seen, entry, bytes: Buffer.byteLength(JSON.stringify(entry)) }];
  });
}
