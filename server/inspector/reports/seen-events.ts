import { takeTurn } from '@branchline/runtime';
import { type Kysely, sql } from 'kysely';
import type { components } from '../../generated/types.ts';
import { ManyKeys } from '../../storage/many-keys.ts';
import type { Tables } from '../../storage/tables.ts';
import { ENVIRONMENTS } from '../limits.ts';
import { entry } from '../rows.ts';
import type { EventTotalRow, ObservedEventRow } from '../tables.ts';
import { chooseRange, type PlaceFilter } from './index-orders.ts';
import { columnsOf, firstRows, type IndexRange, isWithin } from './index-range.ts';
import { type Seen, SeenSum } from './seen-sum.ts';
import { fitInTurn, listSources, ROWS_OF_A_WHOLE, splitByRows } from './source-rows.ts';

type Environment = components['schemas']['Environment'];

/** How many rows are read at a time of an event that has more. */
const ROWS_AT_A_TIME = fitInTurn(ROWS_OF_A_WHOLE);

/**
 * Where events were seen, in pieces: each has a row for every source, or several.
 *
 * @param eventKeys those of a page
 * @returns by the keys of those that were seen in the places that are meant
 */
export async function readSeen(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKeys: readonly string[],
  { appVersion, ...filter }: PlaceFilter,
): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  const { length: sources } = await listSources(db, workspaceId, filter);
  const rowsOfEvent = sources * (appVersion === undefined ? 1 : ENVIRONMENTS.length);
  for (const keys of splitByRows(eventKeys, rowsOfEvent * ROWS_OF_A_WHOLE)) {
    await takeTurn(workspaceId);
    const isLarge = rowsOfEvent > ROWS_AT_A_TIME;
    const found =
      appVersion === undefined
        ? await seenInAll(db, workspaceId, { keys, isLarge }, filter)
        : await seenInVersion(db, workspaceId, { keys, isLarge }, { ...filter, appVersion });
    for (const [key, one] of found) seen.set(key, one);
  }
  return seen;
}

interface Events {
  keys: readonly string[];
  /** Whether the rows of each may be too many for one turn. */
  isLarge: boolean;
}

async function seenInAll(
  db: Kysely<Tables>,
  workspaceId: string,
  events: Events,
  filter: Omit<PlaceFilter, 'appVersion'>,
): Promise<Map<string, Seen>> {
  const sums = new Map<string, SeenSum>();
  for await (const rows of eachTotals(db, workspaceId, events, filter)) {
    for (const row of rows) {
      if (row.count === 0) continue;
      const sum = entry(sums, row.event_key, () => new SeenSum());
      sum.add(row);
      sum.addVersions(row);
    }
  }
  const { environment } = filter;
  const found = environment === undefined ? await findEnvironments(db, workspaceId, events.keys, filter) : new Map();
  return new Map(
    Array.from(sums, ([key, sum]) => [
      key,
      sum.view(environment === undefined ? (found.get(key) ?? []) : [environment]),
    ]),
  );
}

type TotalKey = Pick<EventTotalRow, 'environment' | 'event_key'>;
type Total = Omit<EventTotalRow, 'workspace_id' | 'environment'>;

const TOTAL = [
  ...(['event_key', 'source', 'count', 'shapes', 'first_seen', 'last_seen'] as const),
  ...(['versions', 'newest_versions'] as const),
];

const findTotals = new ManyKeys<TotalKey, Total>('event_totals', ['environment', 'event_key'], TOTAL);

const findTotalsOfSource = new ManyKeys<TotalKey & Pick<EventTotalRow, 'source'>, Total>(
  'event_totals',
  ['environment', 'event_key', 'source'],
  TOTAL,
);

async function* eachTotals(
  db: Kysely<Tables>,
  workspaceId: string,
  { keys, isLarge }: Events,
  { source, ...filter }: Omit<PlaceFilter, 'appVersion'>,
): AsyncGenerator<Total[]> {
  const environment: TotalKey['environment'] = filter.environment ?? '';
  const wanted = keys.map((event_key) => ({ environment, event_key }));
  if (source !== undefined) {
    const ofSource = wanted.map((key) => ({ ...key, source }));
    yield await findTotalsOfSource.execute(db, workspaceId, ofSource);
  } else if (!isLarge) {
    yield await findTotals.execute(db, workspaceId, wanted);
  } else {
    for (const { event_key } of wanted) {
      const range = rangeOfTotals(environment, event_key);
      yield* eachPortion(workspaceId, (last: Total | undefined) => {
        let totals = db
          .selectFrom('event_totals')
          .select(TOTAL)
          .where('workspace_id', '=', workspaceId)
          .where(isWithin(range, last && [last.source]));
        for (const column of columnsOf(range)) totals = totals.orderBy(column);
        return totals.limit(firstRows(ROWS_AT_A_TIME)).execute();
      });
    }
  }
}

/** The range of the primary key that has an event's totals in one environment, or in all together. */
function rangeOfTotals(
  environment: TotalKey['environment'],
  eventKey: string,
): IndexRange<'environment' | 'event_key' | 'source'> {
  const fixed = [['environment', environment] as const, ['event_key', eventKey] as const];
  return { fixed, sorted: ['source'] };
}

/** In which environments events were seen, whatever the number of sources. */
async function findEnvironments(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKeys: readonly string[],
  { source }: Pick<PlaceFilter, 'source'>,
): Promise<Map<string, Environment[]>> {
  const ofSource = source === undefined ? sql`` : sql`and source = ${source}`;
  const isSeen = (environment: Environment) => sql<number>`case when exists (
    select 1 from event_totals where event_totals.workspace_id = ${workspaceId} and environment = ${environment}
      and event_totals.event_key = event_names.event_key and count > 0 ${ofSource}) then 1 else 0 end`;
  const rows = await db
    .selectFrom('event_names')
    .select('event_key')
    .select(ENVIRONMENTS.map((environment) => isSeen(environment).as(environment)))
    .where('workspace_id', '=', workspaceId)
    .where('event_key', 'in', eventKeys)
    .execute();
  return new Map(rows.map((row) => [row.event_key, ENVIRONMENTS.filter((environment) => row[environment] === 1)]));
}

type VersionKey = Pick<ObservedEventRow, 'event_key' | 'app_version'>;
type Sighting = Omit<ObservedEventRow, 'workspace_id' | 'app_version' | 'event_name'>;

// Without the names of the events, which may be long.
const SIGHTING = ['event_key', 'source', 'environment', 'count', 'shapes', 'first_seen', 'last_seen'] as const;

const findInVersion = new ManyKeys<VersionKey, Sighting>('observed_events', ['event_key', 'app_version'], SIGHTING);

const findInVersionOfSource = new ManyKeys<VersionKey & Pick<ObservedEventRow, 'source'>, Sighting>(
  'observed_events',
  ['event_key', 'source', 'app_version'],
  SIGHTING,
);

async function seenInVersion(
  db: Kysely<Tables>,
  workspaceId: string,
  events: Events,
  filter: PlaceFilter & { appVersion: string },
): Promise<Map<string, Seen>> {
  const { environment, appVersion } = filter;
  const found = new Map<string, { sum: SeenSum; environments: Set<Environment> }>();
  for await (const rows of eachInVersion(db, workspaceId, events, filter)) {
    for (const row of rows) {
      if (row.count === 0 || (environment !== undefined && row.environment !== environment)) continue;
      const { sum, environments } = entry(found, row.event_key, () => ({
        sum: new SeenSum(),
        environments: new Set(),
      }));
      sum.add(row);
      environments.add(row.environment);
    }
  }
  const appVersions = { newest: [appVersion], total: 1 };
  return new Map(
    Array.from(found, ([key, { sum, environments }]) => [
      key,
      { ...sum.view(ENVIRONMENTS.filter((one) => environments.has(one))), appVersions },
    ]),
  );
}

async function* eachInVersion(
  db: Kysely<Tables>,
  workspaceId: string,
  { keys, isLarge }: Events,
  { source, appVersion }: PlaceFilter & { appVersion: string },
): AsyncGenerator<Sighting[]> {
  const wanted = keys.map((event_key) => ({ event_key, app_version: appVersion }));
  if (source !== undefined) {
    const ofSource = wanted.map((key) => ({ ...key, source }));
    yield await findInVersionOfSource.execute(db, workspaceId, ofSource);
  } else if (!isLarge) {
    yield await findInVersion.execute(db, workspaceId, wanted);
  } else {
    for (const key of wanted) {
      const range = chooseRange({ ...key, source: undefined, environment: undefined });
      yield* eachPortion(workspaceId, (last: Sighting | undefined) => {
        let sightings = db
          .selectFrom('observed_events')
          .select(SIGHTING)
          .where('workspace_id', '=', workspaceId)
          .where(isWithin(range, last && [last.source, last.environment]));
        for (const column of columnsOf(range)) sightings = sightings.orderBy(column);
        return sightings.limit(firstRows(ROWS_AT_A_TIME)).execute();
      });
    }
  }
}

/**
 * Gives what one turn may read at a time.
 *
 * @param read reads the rows after one, or the first ones
 */
async function* eachPortion<Row>(
  workspaceId: string,
  read: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let rows = await read(undefined); ;) {
    yield rows;
    if (rows.length < ROWS_AT_A_TIME) return;
    await takeTurn(workspaceId);
    rows = await read(rows.at(-1));
  }
}
