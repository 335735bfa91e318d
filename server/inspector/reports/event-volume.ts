import { takeTurn } from '@branchline/runtime';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { components } from '../../generated/types.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from '../ingest/delivery.ts';
import { DAY_MS, toDay, toHourColumn, HOUR_MS, HOURS, type HourColumn } from '../hours.ts';
import { boundedKey } from '../keys.ts';
import { ENVIRONMENTS, MAX_VOLUME_SERIES, VOLUME_DAYS, VOLUME_HOURS } from '../limits.ts';
import type { PlaceFilter, ReportFilter } from './index-orders.ts';
import { entry } from '../rows.ts';
import { NewestVersions, parseVersions } from './newest-versions.ts';
import {
  fitInTurn,
  isOfSources,
  listSources,
  ROWS_OF_A_WHOLE,
  type SourceRange,
  splitByRows,
  splitDays,
  splitSources,
} from './source-rows.ts';

type EventVolume = components['schemas']['EventVolume'];

export type VolumeFilter = PlaceFilter;

export interface VolumeQuery extends ReportFilter {
  step?: 'hour' | 'day' | undefined;
  split?: 'source' | 'environment' | 'appVersion' | undefined;
}

/** How many sources' newest app versions are read at a time. */
const SOURCES_AT_A_TIME = fitInTurn(ROWS_OF_A_WHOLE);

const COLUMNS = { source: 'source', environment: 'environment', appVersion: 'app_version' } as const;

/** How many events were accepted in each of the last hours or days. */
export async function eventVolume(
  { db }: Storage,
  workspaceId: string,
  query: VolumeQuery,
  now: number,
): Promise<EventVolume> {
  const { step = 'day', split, appVersion } = query;
  await takeTurn(workspaceId);
  const times = timesUpTo(now, step);
  const { source } = query;
  const wanted = {
    days: daysOf(times),
    versions: [appVersion ?? ''],
    sources: source === undefined ? undefined : [source],
    allSources: await listSources(db, workspaceId, query),
  };
  const total = await readCounts(db, workspaceId, query, { ...wanted, by: sql.lit('') });
  const parts = await readParts(db, workspaceId, query, { ...wanted, times });
  return {
    step,
    from: new Date(times[0] ?? now).toISOString(),
    total: countsAt(times, step, total),
    series: split === undefined ? [] : toSeries(parts, times, step),
  };
}

/** Which volumes are read. */
interface Wanted {
  days: readonly string[];
  versions: readonly string[];
  /** Undefined: those of all sources. */
  sources: readonly string[] | undefined;
  /** Those that there are then. */
  allSources: readonly string[];
}

/** The counts of the parts that the report may name, and of others too where there are few. */
async function readParts(
  db: Kysely<Tables>,
  workspaceId: string,
  query: VolumeQuery,
  { times, ...wanted }: Wanted & { times: readonly number[] },
): Promise<DayCounts[]> {
  const { split } = query;
  if (split === undefined) return [];
  const by = sql.ref(COLUMNS[split]);
  if (split === 'source') {
    const sources = await findLargestSources(db, workspaceId, query, { ...wanted, times });
    return readCounts(db, workspaceId, query, { ...wanted, sources, by });
  }
  if (split === 'environment' || query.appVersion !== undefined) {
    return readCounts(db, workspaceId, query, { ...wanted, by });
  }
  const versions = await newestVersions(db, workspaceId, query);
  return readCounts(db, workspaceId, query, { ...wanted, versions, by });
}

/** The beginnings of the hours or days, the present one last. */
function timesUpTo(now: number, step: 'hour' | 'day'): number[] {
  const [length, duration] = step === 'hour' ? [VOLUME_HOURS, HOUR_MS] : [VOLUME_DAYS, DAY_MS];
  const present = Math.floor(now / duration) * duration;
  return Array.from({ length }, (_, index) => present - (length - 1 - index) * duration);
}

function daysOf(times: readonly number[]): string[] {
  return [...new Set(times.map(toDay))];
}

/** What a part of the volume has on one day. */
interface DayCounts extends Record<HourColumn, number> {
  part: string;
  day: string;
}

/** The app versions that were first seen last: a chart has room for few. */
async function newestVersions(
  db: Kysely<Tables>,
  workspaceId: string,
  { eventName, source, environment }: VolumeQuery,
): Promise<string[]> {
  let totals = db
    .selectFrom('event_totals')
    .select(['source', 'newest_versions'])
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', eventName === undefined ? '' : (environment ?? ''))
    .where('event_key', '=', eventName === undefined ? '' : boundedKey(eventName))
    .orderBy('source')
    .limit(SOURCES_AT_A_TIME);
  if (source !== undefined) totals = totals.where('source', '=', source);
  const newest = new NewestVersions();
  for (let after: string | undefined = ''; after !== undefined;) {
    await takeTurn(workspaceId);
    const rows: { source: string; newest_versions: string }[] = await totals.where('source', '>', after).execute();
    for (const { newest_versions } of rows) {
      for (const version of parseVersions(newest_versions)) newest.add(version);
    }
    after = rows.length < SOURCES_AT_A_TIME ? undefined : rows.at(-1)?.source;
  }
  return newest.names;
}

/** In pieces of some sources, then of some days: each source has rows of its own. */
async function readCounts(
  db: Kysely<Tables>,
  workspaceId: string,
  query: VolumeQuery,
  { by, ...wanted }: Wanted & { by: RawBuilder<unknown> },
): Promise<DayCounts[]> {
  const counts = new Map<string, DayCounts>();
  const { versions, sources = wanted.allSources } = wanted;
  if (versions.length === 0 || wanted.sources?.length === 0) return [];
  for (const { range, days } of splitDays(sources, wanted.days, versions.length * ENVIRONMENTS.length)) {
    await takeTurn(workspaceId);
    const rows = await selectVolumes(db, workspaceId, query, { ...wanted, range, days })
      .select([sql<string>`${by}`.as('part'), 'day', ...HOURS.map((hour) => sumHours([hour]).as(hour))])
      .groupBy([sql.ref('part'), 'day'])
      .$castTo<DayCounts>()
      .execute();
    for (const row of rows) addCounts(counts, row);
  }
  return [...counts.values()];
}

function addCounts(counts: Map<string, DayCounts>, row: DayCounts): void {
  const key = joinKey(row.part, row.day);
  const sum = counts.get(key);
  if (sum === undefined) counts.set(key, row);
  else for (const hour of HOURS) sum[hour] += row[hour];
}

/** The sources with most events at these times: a chart has room for few, and there may be thousands. */
async function findLargestSources(
  db: Kysely<Tables>,
  workspaceId: string,
  query: VolumeQuery,
  { times, ...wanted }: Wanted & { times: readonly number[] },
): Promise<string[]> {
  const { length } = wanted.allSources;
  const rowsOfDay = ENVIRONMENTS.length * Math.min(length, fitInTurn(ENVIRONMENTS.length));
  let largest: [source: string, count: number][] = [];
  for (const range of splitSources(wanted.allSources, ENVIRONMENTS.length)) {
    const sizes = new Map<string, number>();
    for (const [hours, all] of groupDays(times, query.step)) {
      for (const days of splitByRows(all, rowsOfDay)) {
        await takeTurn(workspaceId);
        const rows = await selectVolumes(db, workspaceId, query, { ...wanted, range, days })
          .select(['source', sumHours(hours).as('count')])
          .groupBy('source')
          .execute();
        for (const { source, count } of rows) sizes.set(source, (sizes.get(source) ?? 0) + count);
      }
    }
    largest = [...largest, ...sizes]
      .toSorted(([a, aSize], [b, bSize]) => bSize - aSize || (a < b ? -1 : 1))
      .slice(0, MAX_VOLUME_SERIES);
  }
  return largest.map(([source]) => source);
}

/** The days of the times, by the hours of them that are meant. */
function groupDays(
  times: readonly number[],
  step: VolumeQuery['step'],
): [hours: readonly HourColumn[], days: string[]][] {
  if (step !== 'hour') return [[HOURS, daysOf(times)]];
  return Array.from(Map.groupBy(times, toDay), ([day, hours]): [HourColumn[], string[]] => [
    hours.map(toHourColumn),
    [day],
  ]);
}

function selectVolumes(
  db: Kysely<Tables>,
  workspaceId: string,
  { eventName, environment }: VolumeQuery,
  { range, days, versions, sources }: Omit<Wanted, 'allSources'> & { range: SourceRange },
) {
  let volumes = db
    .selectFrom('event_volumes')
    .where('workspace_id', '=', workspaceId)
    .where('event_key', '=', eventName === undefined ? '' : boundedKey(eventName))
    .where('app_version', 'in', versions)
    .where('day', 'in', days)
    .where(isOfSources(range));
  if (sources !== undefined) volumes = volumes.where('source', 'in', sources);
  if (environment !== undefined) volumes = volumes.where('environment', '=', environment);
  return volumes;
}

function sumHours(hours: readonly HourColumn[]): RawBuilder<number> {
  const sum = sql.join(
    hours.map((hour) => sql`cast(${sql.ref(hour)} as bigint)`),
    sql` + `,
  );
  return sql<number>`cast(sum(${sum}) as bigint)`;
}

function countsAt(times: readonly number[], step: 'hour' | 'day', rows: readonly DayCounts[]): number[] {
  const days = new Map(rows.map((row) => [row.day, row]));
  return times.map((time) => {
    const row = days.get(toDay(time));
    if (row === undefined) return 0;
    if (step === 'day') return HOURS.reduce((sum, hour) => sum + row[hour], 0);
    return row[HOURS[new Date(time).getUTCHours()] ?? 'h0'];
  });
}

function toSeries(parts: readonly DayCounts[], times: readonly number[], step: 'hour' | 'day'): EventVolume['series'] {
  const series = Array.from(
    Map.groupBy(parts, ({ part }) => part),
    ([name, rows]) => ({ name, counts: countsAt(times, step, rows) }),
  );
  const size = ({ counts }: (typeof series)[number]): number => counts.reduce((sum, count) => sum + count, 0);
  return series
    .filter((one) => size(one) > 0)
    .toSorted((a, b) => size(b) - size(a) || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_VOLUME_SERIES);
}

/** How many events of each of these keys there were on each of these days, such as `2026-01-02`. */
export async function sumDays(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKeys: readonly string[],
  { source, environment, appVersion, days }: VolumeFilter & { days: readonly string[] },
): Promise<Map<string, Map<string, number>>> {
  const counts = new Map<string, Map<string, number>>();
  const sources = await listSources(db, workspaceId, { source });
  for (const keys of splitByRows(eventKeys, sources.length * ENVIRONMENTS.length * days.length)) {
    for (const part of splitDays(sources, days, keys.length * ENVIRONMENTS.length)) {
      await takeTurn(workspaceId);
      let volumes = db
        .selectFrom('event_volumes')
        .select(['event_key', 'day', sumHours(HOURS).as('count')])
        .where('workspace_id', '=', workspaceId)
        .where('event_key', 'in', keys)
        .where('app_version', '=', appVersion ?? '')
        .where('day', 'in', part.days)
        .where(isOfSources(part.range));
      if (source !== undefined) volumes = volumes.where('source', '=', source);
      if (environment !== undefined) volumes = volumes.where('environment', '=', environment);
      for (const { event_key, day, count } of await volumes.groupBy(['event_key', 'day']).execute()) {
        const ofEvent = entry(counts, event_key, () => new Map<string, number>());
        ofEvent.set(day, (ofEvent.get(day) ?? 0) + count);
      }
    }
  }
  return counts;
}
