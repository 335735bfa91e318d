import type { CompiledQuery, Transaction } from 'kysely';
import { deleteBefore } from '../../storage/delete-before.ts';
import { ManyKeys } from '../../storage/many-keys.ts';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from './delivery.ts';
import { toDay, HOURS } from '../hours.ts';
import { sum } from './observations.ts';
import { entry, inKeyOrder } from '../rows.ts';
import type { EventVolumeRow, VolumeDayRow } from '../tables.ts';

/** How many rows a source may add on one day: with a hundred days of it, some 200 MB at most. */
export const MOST_SERIES = 10_000;

/** How many rows all sources of a workspace may add on one day: with a hundred days of it, some 1 GB at most. */
export const MOST_SERIES_OF_ALL = 50_000;

/** Where the rows of all sources together are counted. No source has an empty name. */
const ALL_SOURCES = '';

const KEY = ['event_key', 'app_version', 'day', 'source', 'environment'] as const;

type VolumeKey = Pick<EventVolumeRow, (typeof KEY)[number]>;

const findVolumes = new ManyKeys<VolumeKey, VolumeKey>('event_volumes', KEY, KEY);

const findDays = new ManyKeys<Pick<VolumeDayRow, 'source' | 'day'>, VolumeDayRow>('volume_days', ['source', 'day']);

const addRows = new ManyRows(['workspace_id', ...KEY, ...HOURS], (db, rows: readonly EventVolumeRow[]) =>
  db
    .insertInto('event_volumes')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', ...KEY])
        .doUpdateSet(Object.fromEntries(HOURS.map((hour) => [hour, sum('event_volumes', hour)]))),
    ),
);

const addDays = new ManyRows(['workspace_id', 'source', 'day', 'series'], (db, rows: readonly VolumeDayRow[]) =>
  db
    .insertInto('volume_days')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'source', 'day']).doUpdateSet({ series: sum('volume_days', 'series') }),
    ),
);

/** What finds which of these rows are there, and how many rows their days have: see {@link compileVolumes}. */
export function compileVolumeLooks(
  tx: Transaction<Tables>,
  workspaceId: string,
  volumes: ReadonlyMap<string, EventVolumeRow>,
): [there: CompiledQuery<VolumeKey>[], days: CompiledQuery<VolumeDayRow>[]] {
  const rows = inKeyOrder(volumes);
  const days = inKeyOrder(countedDays(rows)).map(({ source, day }) => ({ source, day }));
  return [findVolumes.compile(tx, workspaceId, rows.map(volumeKeyColumns)), findDays.compile(tx, workspaceId, days)];
}

/**
 * What adds to the volume. Rows that are new are left out past the bounds of their day, those that say most last.
 *
 * @param found what {@link compileVolumeLooks} found in this transaction
 */
export function compileVolumes(
  tx: Transaction<Tables>,
  volumes: ReadonlyMap<string, EventVolumeRow>,
  found: { there: readonly VolumeKey[]; days: readonly VolumeDayRow[] },
): [rows: CompiledQuery[], days: CompiledQuery[]] {
  const rows = inKeyOrder(volumes);
  const there = new Set(found.there.map(volumeKey));
  const { admitted, days } = admit(
    rows.filter((row) => !there.has(volumeKey(row))),
    found.days,
  );
  const added = rows.filter((row) => there.has(volumeKey(row)) || admitted.has(row));
  return [addRows.compile(tx, added), addDays.compile(tx, days)];
}

export function volumeKey({ event_key, app_version, day, source, environment }: VolumeKey): string {
  return joinKey(event_key, app_version, day, source, environment);
}

/** The days on which rows are counted, for their source and for all, with no rows added. */
function countedDays(rows: readonly EventVolumeRow[]): Map<string, VolumeDayRow> {
  const days = new Map<string, VolumeDayRow>();
  for (const { workspace_id, source, day } of rows) {
    for (const counted of [source, ALL_SOURCES]) {
      entry(days, joinKey(counted, day), () => ({ workspace_id, source: counted, day, series: 0 }));
    }
  }
  return days;
}

/** @param before how many rows the days have */
function admit(rows: readonly EventVolumeRow[], before: readonly VolumeDayRow[]) {
  const added = countedDays(rows);
  const used = new Map(before.map(({ source, day, series }) => [joinKey(source, day), series]));
  const admitted = new Set<EventVolumeRow>();
  const room = (source: string, day: string): number => {
    const key = joinKey(source, day);
    const most = source === ALL_SOURCES ? MOST_SERIES_OF_ALL : MOST_SERIES;
    return most - (used.get(key) ?? 0) - (added.get(key)?.series ?? 0);
  };
  for (const row of rows.toSorted((a, b) => rank(a) - rank(b))) {
    const counted = [row.source, ALL_SOURCES];
    if (rank(row) > 0 && counted.some((source) => room(source, row.day) <= 0)) continue;
    for (const source of counted) {
      const ofDay = added.get(joinKey(source, row.day));
      if (ofDay !== undefined) ofDay.series += 1;
    }
    admitted.add(row);
  }
  return { admitted, days: inKeyOrder(added) };
}

/** The volume of all events comes first and is never left out, that of one in one app version comes last. */
function rank({ event_key, app_version }: VolumeKey): number {
  if (app_version === '') return event_key === '' ? 0 : 1;
  return event_key === '' ? 2 : 3;
}

function volumeKeyColumns({ event_key, app_version, day, source, environment }: VolumeKey): VolumeKey {
  return { event_key, app_version, day, source, environment };
}

/**
 * Drops the volume of the days before that of a time. Each turn of the iterator is one short step.
 *
 * @param before milliseconds since 1970, UTC
 */
export async function* dropVolumes(storage: Storage, before: number): AsyncGenerator<void> {
  for (const table of ['event_volumes', 'volume_days'] as const) {
    yield* deleteBefore(storage, { table, column: 'day', before: toDay(before) });
  }
}
