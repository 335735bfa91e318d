import type { Transaction } from 'kysely';
import { ManyKeys } from '../../storage/many-keys.ts';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from '../ingest/delivery.ts';
import { findNewestVersions } from '../ingest/event-totals.ts';
import { DAY_MS } from '../hours.ts';
import { versionKey } from '../place-keys.ts';
import { entry, inKeyOrder } from '../rows.ts';
import type { EventTotalRow, PlaceColumns } from '../tables.ts';
import type { PlaceNews } from './news.ts';
import type { IssueVersionRow } from './tables.ts';

type Place = Omit<PlaceColumns, 'workspace_id'>;

const PLACE = ['source', 'environment', 'app_version'] as const;

const addRows = new ManyRows(
  ['workspace_id', ...PLACE, 'first_seen', 'due_at'],
  (db, rows: readonly IssueVersionRow[]) =>
    db
      .insertInto('issue_versions')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['workspace_id', ...PLACE]).doNothing()),
);

const findRows = new ManyKeys<Place, IssueVersionRow>('issue_versions', PLACE);

type TotalKey = Pick<EventTotalRow, 'environment' | 'event_key' | 'source'>;

const findTotals = new ManyKeys<TotalKey, EventTotalRow>('event_totals', ['environment', 'event_key', 'source']);

/** Records app versions that are new in an environment, for comparison in a day. One of which all was refused is none. */
export async function addVersions(
  tx: Transaction<Tables>,
  workspace_id: string,
  news: readonly PlaceNews[],
): Promise<void> {
  const rows = new Map<string, IssueVersionRow>();
  for (const { at, shapes, ...place } of news) {
    if (shapes.length === 0) continue;
    const { source, environment, app_version } = place;
    const row = { workspace_id, source, environment, app_version, first_seen: at, due_at: at + DAY_MS };
    entry(rows, placeKey(place), () => row);
  }
  await addRows.execute(tx, inKeyOrder(rows));
}

/** Facts about app versions. */
export interface Versions {
  /** When the app version was first seen in the environment. One of which all was refused is new each time. */
  since: (place: Place) => number;
  /** Whether the source had an earlier app version. Trials count neither as earlier nor as later versions. */
  hasOneBefore: (place: Place) => boolean;
}

export async function findVersions(
  tx: Transaction<Tables>,
  workspaceId: string,
  news: readonly PlaceNews[],
  others: readonly Place[],
): Promise<Versions> {
  const places: readonly Place[] = [...news, ...others];
  const keys = new Map<string, Place>();
  for (const { source, environment, app_version } of places) {
    const place = { source, environment, app_version };
    keys.set(placeKey(place), place);
  }
  const rows = await findRows.execute(tx, workspaceId, inKeyOrder(keys));
  const since = new Map([
    ...news.map((one) => [placeKey(one), one.at] as const),
    ...rows.map((row) => [placeKey(row), row.first_seen] as const),
  ]);
  const firsts = await firstVersions(tx, workspaceId, new Set(places.map(({ source }) => source)));
  return {
    since: (place) => since.get(placeKey(place)) ?? 0,
    hasOneBefore: (place) => !isTrial(place.app_version) && !firsts.has(versionKey(place)),
  };
}

/** Returns the app versions that were the first of their sources. */
async function firstVersions(
  tx: Transaction<Tables>,
  workspaceId: string,
  sources: ReadonlySet<string>,
): Promise<Set<string>> {
  const keys = Array.from(sources, (source) => ({ environment: '' as const, event_key: '', source }));
  const totals = await findTotals.execute(tx, workspaceId, keys);
  const firsts = totals.flatMap((row) => {
    const newest = findNewestVersions([row]);
    const oldest = newest.length === row.versions ? newest.findLast(([version]) => !isTrial(version)) : undefined;
    return oldest === undefined ? [] : [versionKey({ source: row.source, app_version: oldest[0] })];
  });
  return new Set(firsts);
}

/** Whether a version is a trial, sent by hand to try things out; semver sorts it before all releases. */
function isTrial(appVersion: string): boolean {
  return appVersion.startsWith('0.0.0-');
}

function placeKey({ source, environment, app_version }: Place): string {
  return joinKey(source, environment, app_version);
}
