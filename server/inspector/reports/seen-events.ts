import { takeTurn } from '@branchline/runtime';
import type { Kysely } from 'kysely';
import type { components } from '../../generated/types.ts';
import { ManyKeys } from '../../storage/many-keys.ts';
import type { Tables } from '../../storage/tables.ts';
import { findNewestVersions } from '../ingest/event-totals.ts';
import { ENVIRONMENTS, MAX_SOURCES_NAMED, MAX_VERSIONS_NAMED } from '../limits.ts';
import { compareBytes } from '../rows.ts';
import type { EventTotalRow, ObservedEventRow } from '../tables.ts';
import type { PlaceFilter } from './index-orders.ts';
import { countSources, splitByRows } from './source-rows.ts';

type EventSummary = components['schemas']['EventSummary'];
type Environment = components['schemas']['Environment'];

/** What a summary tells of the places that an event was seen in. */
export type Seen = Omit<EventSummary, 'eventName' | 'conflicts' | 'issues' | 'days'>;

/**
 * Where events were seen, in pieces: each has a row for every source.
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
  const sources = await countSources(db, workspaceId, appVersion === undefined ? filter : {});
  for (const some of splitByRows(eventKeys, sources * ROWS_OF_A_SOURCE)) {
    await takeTurn(workspaceId);
    const found =
      appVersion === undefined
        ? await seenInAll(db, workspaceId, some, filter)
        : await seenInVersion(db, workspaceId, some, { ...filter, appVersion });
    for (const [key, one] of found) seen.set(key, one);
  }
  return seen;
}

/** In each environment and in all; they come as a whole, which costs more than to add them up. */
const ROWS_OF_A_SOURCE = 2 * (ENVIRONMENTS.length + 1);

type TotalKey = Pick<EventTotalRow, 'event_key' | 'environment'>;

const findTotals = new ManyKeys<TotalKey, EventTotalRow>('event_totals', ['environment', 'event_key']);

const findTotalsOfSource = new ManyKeys<TotalKey & Pick<EventTotalRow, 'source'>, EventTotalRow>('event_totals', [
  'environment',
  'event_key',
  'source',
]);

async function seenInAll(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKeys: readonly string[],
  { source, environment: asked }: Omit<PlaceFilter, 'appVersion'>,
): Promise<Map<string, Seen>> {
  const environment = asked ?? '';
  const environments = asked === undefined ? (['', ...ENVIRONMENTS] as const) : [asked];
  const keys = eventKeys.flatMap((event_key) => environments.map((one) => ({ environment: one, event_key })));
  const rows =
    source === undefined
      ? await findTotals.execute(db, workspaceId, keys)
      : await findTotalsOfSource.execute(
          db,
          workspaceId,
          keys.map((key) => ({ ...key, source })),
        );
  const counted = rows.filter(({ count }) => count > 0);
  const byEvent = Map.groupBy(counted, ({ event_key }) => event_key);
  return new Map(
    Array.from(byEvent, ([key, all]) => {
      const rows = all.filter((row) => row.environment === environment);
      const named = findNewestVersions(rows).map(([version]) => version);
      const distinct = [...new Set(named)];
      const unnamed = rows.reduce((sum, row) => sum + row.versions, 0) - named.length;
      return [
        key,
        {
          ...sumTotals(rows),
          environments: listEnvironments(all),
          appVersions: {
            newest: distinct.slice(0, MAX_VERSIONS_NAMED),
            total: distinct.length + unnamed,
          },
        },
      ];
    }),
  );
}

type VersionKey = Pick<ObservedEventRow, 'event_key' | 'app_version'>;

const findInVersion = new ManyKeys<VersionKey, ObservedEventRow>('observed_events', ['event_key', 'app_version']);

async function seenInVersion(
  db: Kysely<Tables>,
  workspaceId: string,
  eventKeys: readonly string[],
  { source, environment, appVersion }: PlaceFilter & { appVersion: string },
): Promise<Map<string, Seen>> {
  const keys = eventKeys.map((event_key) => ({ event_key, app_version: appVersion }));
  const rows = await findInVersion.execute(db, workspaceId, keys);
  const passing = rows.filter(
    (row) =>
      row.count > 0 &&
      (source === undefined || row.source === source) &&
      (environment === undefined || row.environment === environment),
  );
  return new Map(
    Array.from(
      Map.groupBy(passing, ({ event_key }) => event_key),
      ([key, rows]) => {
        const appVersions = { newest: [appVersion], total: 1 };
        return [key, { ...sumTotals(rows), environments: listEnvironments(rows), appVersions }];
      },
    ),
  );
}

function sumTotals(rows: readonly Pick<EventTotalRow, 'source' | 'count' | 'shapes' | 'first_seen' | 'last_seen'>[]) {
  const sources = [...new Set(rows.map(({ source }) => source))].toSorted(compareBytes);
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    shapes: rows.reduce((sum, { shapes }) => sum + shapes, 0),
    sources: { names: sources.slice(0, MAX_SOURCES_NAMED), total: sources.length },
    firstSeen: new Date(Math.min(...rows.map(({ first_seen }) => first_seen))).toISOString(),
    lastSeen: new Date(Math.max(...rows.map(({ last_seen }) => last_seen))).toISOString(),
  };
}

function listEnvironments(rows: readonly { environment: Environment | '' }[]): Environment[] {
  return ENVIRONMENTS.filter((one) => rows.some(({ environment }) => environment === one));
}
