import { takeTurn } from '@branchline/runtime';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { components } from '../../generated/types.ts';
import { takeFitting } from '../../http/bounded-page.ts';
import { type CursorScope, decodeCursor, encodeCursor } from '../../http/cursor.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { sumDays, type VolumeFilter } from './event-volume.ts';
import { DAY_MS, toDay } from '../hours.ts';
import { boundedKey } from '../keys.ts';
import { ENVIRONMENTS, MAX_CONFLICTS_COUNTED, MAX_ISSUES_COUNTED, PAGE_SIZE, SUMMARY_DAYS } from '../limits.ts';
import { findText } from '../find-text.ts';
import { compareBytes } from '../rows.ts';
import type { EventNameRow } from '../tables.ts';
import { firstRows } from './index-range.ts';
import type { Page, ReportQuery } from './paging.ts';
import { readSeen } from './seen-events.ts';

type EventSummary = components['schemas']['EventSummary'];

export interface SummaryQuery extends ReportQuery {
  /** Part of the name, in whatever case. */
  text?: string | undefined;
  /** Only events with a property of several types. */
  conflicting?: 'true' | undefined;
  /** Only events with an open issue. */
  withIssues?: 'true' | undefined;
}

/** How many names one page searches. */
const MOST_NAMES = 5_000;

/** How many names are read at a time. */
const NAMES_AT_A_TIME = 250;

/** Of how many conflicts and issues are counted at a time. */
const COUNTED_AT_A_TIME = 100;

type EventName = Pick<EventNameRow, 'event_key' | 'event_name'>;

interface Name extends EventName {
  conflicts: number;
  issues: number;
}

/**
 * The events of a workspace, one entry for each name.
 *
 * @param now by the clock of the server, milliseconds since 1970
 * @returns undefined when the cursor is not one of this report and filter
 */
export async function eventSummaries(
  { db }: Storage,
  workspaceId: string,
  query: SummaryQuery,
  now: number,
): Promise<Page<EventSummary> | undefined> {
  const {
    limit = PAGE_SIZE,
    cursor,
    eventName,
    source,
    appVersion,
    environment,
    text,
    conflicting,
    withIssues,
  } = query;
  const filters = [eventName, source, appVersion, environment, text, conflicting, withIssues];
  const scope: CursorScope = ['summaries', workspaceId, ...filters];
  const place = cursor === undefined ? [''] : decodeCursor(scope, cursor, ['string']);
  if (place === undefined) return undefined;
  const { names, last } = await findNames(db, workspaceId, query, place[0] ?? '', limit);
  const keys = names.map(({ event_key }) => event_key);
  const seen = await readSeen(db, workspaceId, keys, { source, environment, appVersion });
  const days = await readDays(db, workspaceId, keys, query, now);
  const found = names.flatMap(({ event_key: key, event_name: eventName, conflicts, issues }) => {
    const of = seen.get(key);
    return of === undefined ? [] : [{ key, entry: { eventName, conflicts, issues, ...of, days: days(key) } }];
  });
  const all = found.map(({ entry }) => entry);
  const entries = await takeFitting(workspaceId, all);
  const end = entries.length < all.length ? found[entries.length - 1]?.key : last;
  return { entries, nextCursor: end === undefined ? null : encodeCursor(scope, [end]) };
}

/** @returns the names of a page, and after which key the next one goes on, if there may be one */
async function findNames(
  db: Kysely<Tables>,
  workspaceId: string,
  query: SummaryQuery,
  from: string,
  limit: number,
): Promise<{ names: Name[]; last: string | undefined }> {
  const names: Name[] = [];
  let after = from;
  // One more shows whether there is a next page.
  const isSearch = query.text !== undefined || query.conflicting !== undefined || query.withIssues !== undefined;
  const count = isSearch ? NAMES_AT_A_TIME : limit + 1;
  for (let searched = 0; searched < MOST_NAMES; searched += count) {
    await takeTurn(workspaceId);
    const keys = await keysAfter(db, workspaceId, query, after, count);
    await takeTurn(workspaceId);
    const candidates = await readNames(db, workspaceId, keys);
    const matching = query.text === undefined ? candidates : await findText(workspaceId, candidates, query.text);
    for await (const name of eachCounted(db, workspaceId, matching)) {
      if (query.conflicting !== undefined && name.conflicts === 0) continue;
      if (query.withIssues !== undefined && name.issues === 0) continue;
      if (names.length === limit) return { names, last: names.at(-1)?.event_key };
      names.push(name);
    }
    after = keys.at(-1) ?? after;
    if (keys.length < count) return { names, last: undefined };
  }
  return { names, last: after };
}

/** The next keys of events that the filters leave, in their order. */
async function keysAfter(
  db: Kysely<Tables>,
  workspaceId: string,
  { eventName, source, environment, appVersion }: SummaryQuery,
  after: string,
  count: number,
): Promise<string[]> {
  const ofSource = source === undefined ? sql`` : sql`and source = ${source}`;
  const ofEvent = eventName === undefined ? sql`` : sql`and event_key = ${boundedKey(eventName)}`;
  const isMeant = sql`count > 0 ${ofSource} ${ofEvent}`;
  if (appVersion === undefined) {
    const totals = sql`from event_totals where workspace_id = ${workspaceId} and environment = ${environment ?? ''} and ${isMeant}`;
    return distinctKeys(db, totals, after, count);
  }
  const keys = new Set<string>();
  // Their index has the environment before the event.
  for (const one of environment === undefined ? ENVIRONMENTS : [environment]) {
    const events = sql`from observed_events where workspace_id = ${workspaceId} and app_version = ${appVersion}
      and environment = ${one} and ${isMeant}`;
    for (const key of await distinctKeys(db, events, after, count)) keys.add(key);
  }
  return [...keys].toSorted(compareBytes).slice(0, count);
}

/** The next different keys among rows, each found by one step in an index, however many rows have it. */
async function distinctKeys(
  db: Kysely<Tables>,
  rowsFrom: RawBuilder<unknown>,
  after: string,
  count: number,
): Promise<string[]> {
  const next = (last: RawBuilder<unknown>) =>
    sql`(select event_key ${rowsFrom} and event_key > ${last} order by event_key limit ${firstRows(1)})`;
  const { rows } = await sql<{ event_key: string }>`
    with recursive some_keys (event_key) as (
      select ${next(sql`${after}`)} union all select ${next(sql`some_keys.event_key`)} from some_keys where some_keys.event_key is not null)
    select event_key from some_keys where event_key is not null limit ${count}`.execute(db);
  return rows.map(({ event_key }) => event_key);
}

/** The names of events, in the order of their keys. */
async function readNames(db: Kysely<Tables>, workspaceId: string, keys: readonly string[]): Promise<EventName[]> {
  if (keys.length === 0) return [];
  const found = await db
    .selectFrom('event_names')
    .select(['event_key', 'event_name'])
    .where('workspace_id', '=', workspaceId)
    .where('event_key', 'in', keys)
    .execute();
  const names = new Map(found.map((name) => [name.event_key, name]));
  return keys.flatMap((key) => names.get(key) ?? []);
}

/** Gives each event with its conflicts and issues, some at a time. */
async function* eachCounted(
  db: Kysely<Tables>,
  workspaceId: string,
  events: readonly EventName[],
): AsyncGenerator<Name> {
  for (let start = 0; start < events.length; start += COUNTED_AT_A_TIME) {
    await takeTurn(workspaceId);
    const some = events.slice(start, start + COUNTED_AT_A_TIME);
    const keys = some.map(({ event_key }) => event_key);
    const counts = new Map((await countOf(db, workspaceId, keys)).map((row) => [row.event_key, row]));
    for (const event of some) yield { conflicts: 0, issues: 0, ...counts.get(event.event_key), ...event };
  }
}

/** How many conflicts and open issues events have. Ordered, so that no engine prefers a full table scan to the index. */
function countOf(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKeys: readonly string[],
): Promise<Omit<Name, 'event_name'>[]> {
  return db
    .selectFrom('event_names')
    .select('event_key')
    .select((eb) =>
      eb
        .selectFrom((eb) =>
          eb
            .selectFrom('observed_properties')
            .select('observed_properties.path_key')
            .where('observed_properties.workspace_id', '=', workspaceId)
            .whereRef('observed_properties.event_key', '=', 'event_names.event_key')
            // Literal, so that the engines see that the partial index applies.
            .where(sql<boolean>`observed_properties.conflicting = 1`)
            .orderBy('observed_properties.path_key')
            .limit(MAX_CONFLICTS_COUNTED)
            .as('some'),
        )
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('conflicts'),
    )
    .select((eb) =>
      eb
        .selectFrom((eb) =>
          eb
            .selectFrom('issues')
            .select('issues.issue_id')
            .where('issues.workspace_id', '=', workspaceId)
            .whereRef('issues.event_key', '=', 'event_names.event_key')
            .where('issues.state', '=', 'open')
            .orderBy('issues.raised_at')
            .limit(MAX_ISSUES_COUNTED)
            .as('some'),
        )
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('issues'),
    )
    .where('workspace_id', '=', workspaceId)
    .where('event_key', 'in', eventKeys)
    .execute();
}

/** @returns how many events of a key there were on each of the last days */
async function readDays(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKeys: readonly string[],
  filter: VolumeFilter,
  now: number,
): Promise<(eventKey: string) => number[]> {
  const days = Array.from({ length: SUMMARY_DAYS }, (_, index) => toDay(now - (SUMMARY_DAYS - 1 - index) * DAY_MS));
  const counts = await sumDays(db, workspaceId, eventKeys, { ...filter, days });
  return (eventKey) => days.map((day) => counts.get(eventKey)?.get(day) ?? 0);
}
