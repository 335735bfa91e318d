import type { Transaction } from 'kysely';
import { ManyKeys } from '../../storage/many-keys.ts';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from '../ingest/delivery.ts';
import { DAY_MS } from '../hours.ts';
import { ENVIRONMENTS } from '../limits.ts';
import { versionKey } from '../place-keys.ts';
import { entry, inKeyOrder } from '../rows.ts';
import type { PlaceColumns } from '../tables.ts';
import type { PlaceNews } from './news.ts';
import type { IssueVersionRow } from './tables.ts';
import { isOfRelease, isTrial } from './trials.ts';

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
  /** Whether the source of something new had an earlier app version. Trials count neither as earlier nor as later versions. */
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
  const firsts = await firstVersions(tx, workspaceId, new Set(news.map(({ source }) => source)));
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
  const firsts = new Set<string>();
  for (const source of sources) {
    const app_version = await firstVersion(tx, workspaceId, source);
    if (app_version !== undefined) firsts.add(versionKey({ source, app_version }));
  }
  return firsts;
}

/** Asks for each environment on its own, so that the index gives the first one, however many there are. */
async function firstVersion(tx: Transaction<Tables>, workspaceId: string, source: string): Promise<string | undefined> {
  let first: Pick<IssueVersionRow, 'app_version' | 'first_seen'> | undefined;
  for (const environment of ENVIRONMENTS) {
    const row = await tx
      .selectFrom('issue_versions')
      .select(['app_version', 'first_seen'])
      .where('workspace_id', '=', workspaceId)
      .where('environment', '=', environment)
      .where('source', '=', source)
      .where(isOfRelease)
      .orderBy('first_seen')
      .orderBy('app_version')
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined && (first === undefined || row.first_seen < first.first_seen)) first = row;
  }
  return first?.app_version;
}

function placeKey({ source, environment, app_version }: Place): string {
  return joinKey(source, environment, app_version);
}
