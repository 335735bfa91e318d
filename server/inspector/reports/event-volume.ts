import { takeTurn } from '@branchline/runtime';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { components } from '../../generated/types.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { findNewestVersions } from '../ingest/event-totals.ts';
import { DAY_MS, toDay, HOUR_MS, HOURS, type HourColumn } from '../hours.ts';
import { boundedKey } from '../keys.ts';
import { MAX_VOLUME_SERIES, VOLUME_DAYS, VOLUME_HOURS } from '../limits.ts';
import type { PlaceFilter, ReportFilter } from './index-orders.ts';
import { entry } from '../rows.ts';

type EventVolume = components['schemas']['EventVolume'];

export type VolumeFilter = PlaceFilter;

export interface VolumeQuery extends ReportFilter {
  step?: 'hour' | 'day' | undefined;
  split?: 'source' | 'environment' | 'appVersion' | undefined;
}

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
  const from = times[0] ?? now;
  const total = await readCounts(db, workspaceId, query, { from, versions: [appVersion ?? ''], by: sql.lit('') });
  const splitOnVersion = split === 'appVersion' && appVersion === undefined;
  const versions = splitOnVersion ? await newestVersions(db, workspaceId, query) : [appVersion ?? ''];
  const parts =
    split === undefined || versions.length === 0
      ? []
      : await readCounts(db, workspaceId, query, { from, versions, by: sql.ref(COLUMNS[split]) });
  return {
    step,
    from: new Date(from).toISOString(),
    total: countsAt(times, step, total),
    series: toSeries(parts, times, step),
  };
}

/** The beginnings of the hours or days, the present one last. */
function timesUpTo(now: number, step: 'hour' | 'day'): number[] {
  const [length, duration] = step === 'hour' ? [VOLUME_HOURS, HOUR_MS] : [VOLUME_DAYS, DAY_MS];
  const present = Math.floor(now / duration) * duration;
  return Array.from({ length }, (_, index) => present - (length - 1 - index) * duration);
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
    .select('newest_versions')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', eventName === undefined ? '' : (environment ?? ''))
    .where('event_key', '=', eventName === undefined ? '' : boundedKey(eventName));
  if (source !== undefined) totals = totals.where('source', '=', source);
  const newest = findNewestVersions(await totals.execute()).map(([version]) => version);
  return [...new Set(newest)].slice(0, MAX_VOLUME_SERIES);
}

function readCounts(
  db: Kysely<Tables>,
  workspaceId: string,
  { eventName, source, environment }: VolumeQuery,
  { from, versions, by }: { from: number; versions: readonly string[]; by: RawBuilder<unknown> },
): Promise<DayCounts[]> {
  let volumes = db
    .selectFrom('event_volumes')
    .select([sql<string>`${by}`.as('part'), 'day', ...HOURS.map((hour) => sumHour(hour).as(hour))])
    .where('workspace_id', '=', workspaceId)
    .where('event_key', '=', eventName === undefined ? '' : boundedKey(eventName))
    .where('app_version', 'in', versions)
    .where('day', '>=', toDay(from));
  if (source !== undefined) volumes = volumes.where('source', '=', source);
  if (environment !== undefined) volumes = volumes.where('environment', '=', environment);
  return volumes
    .groupBy([sql.ref('part'), 'day'])
    .$castTo<DayCounts>()
    .execute();
}

function sumHour(hour: HourColumn): RawBuilder<number> {
  return sql<number>`cast(sum(${sql.ref(hour)}) as bigint)`;
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

/**
 * How many events of each of these keys there were on each day.
 *
 * @param from the first day, `2026-01-02`
 */
export async function sumDays(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKeys: readonly string[],
  { source, environment, appVersion, from }: VolumeFilter & { from: string },
): Promise<Map<string, Map<string, number>>> {
  const counts = new Map<string, Map<string, number>>();
  if (eventKeys.length === 0) return counts;
  let volumes = db
    .selectFrom('event_volumes')
    .select(['event_key', 'day', sql<number>`cast(sum(${sumOfDay}) as bigint)`.as('count')])
    .where('workspace_id', '=', workspaceId)
    .where('event_key', 'in', eventKeys)
    .where('app_version', '=', appVersion ?? '')
    .where('day', '>=', from);
  if (source !== undefined) volumes = volumes.where('source', '=', source);
  if (environment !== undefined) volumes = volumes.where('environment', '=', environment);
  for (const { event_key, day, count } of await volumes.groupBy(['event_key', 'day']).execute()) {
    entry(counts, event_key, () => new Map()).set(day, count);
  }
  return counts;
}

const sumOfDay = sql<number>`cast(${sql.join(
  HOURS.map((hour) => sql.ref(hour)),
  sql` + `,
)} as bigint)`;
