import type { CompiledQuery, Transaction } from 'kysely';
import { ManyKeys } from '../../storage/many-keys.ts';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from './delivery.ts';
import { MAX_VERSIONS_NAMED } from '../limits.ts';
import type { NewTotal, NewTotals } from './new-totals.ts';
import { earlier, later, sum } from './observations.ts';
import { parseVersions, type SeenVersion } from '../reports/newest-versions.ts';
import { inKeyOrder } from '../rows.ts';
import type { EventTotalRow } from '../tables.ts';

const KEY = ['environment', 'event_key', 'source'] as const;
const COUNTS = ['count', 'first_seen', 'last_seen'] as const;
const COLUMNS = ['workspace_id', ...KEY, 'versions', 'shapes', 'newest_versions', ...COUNTS] as const;

type TotalKey = Pick<EventTotalRow, (typeof KEY)[number]>;

const findTotals = new ManyKeys<TotalKey, EventTotalRow>('event_totals', KEY);

const replaceNovelties = new ManyRows(COLUMNS, (db, rows: readonly EventTotalRow[]) =>
  db
    .insertInto('event_totals')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', ...KEY]).doUpdateSet(({ ref }) => ({
        versions: ref('excluded.versions'),
        shapes: ref('excluded.shapes'),
        newest_versions: ref('excluded.newest_versions'),
      })),
    ),
);

const addCounts = new ManyRows(COLUMNS, (db, rows: readonly EventTotalRow[]) =>
  db
    .insertInto('event_totals')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', ...KEY]).doUpdateSet({
        count: sum('event_totals', 'count'),
        first_seen: earlier('event_totals'),
        last_seen: later('event_totals'),
      }),
    ),
);

/**
 * What adds app versions and shapes that are new; it looks up what it adds to. Only one transaction at a time does so in a
 * workspace: see `lockUsage`.
 */
export async function compileNewTotals(
  tx: Transaction<Tables>,
  workspaceId: string,
  added: NewTotals,
): Promise<CompiledQuery[]> {
  const rows = inKeyOrder(added.rows);
  const keys = rows.map(({ environment, event_key, source }) => ({ environment, event_key, source }));
  const found = await findTotals.execute(tx, workspaceId, keys);
  const before = new Map(found.map((row) => [totalKey(row), row]));
  return replaceNovelties.compile(
    tx,
    rows.map((row) => withNovelties(workspaceId, before.get(totalKey(row)), row)),
  );
}

/** What adds to the counts of rows that are there. */
export function compileTotalCounts(tx: Transaction<Tables>, rows: ReadonlyMap<string, EventTotalRow>): CompiledQuery[] {
  return addCounts.compile(tx, inKeyOrder(rows));
}

/** `[appVersion, firstSeen]` of the app versions that are newest, the newest first. */
export function findNewestVersions(rows: readonly Pick<EventTotalRow, 'newest_versions'>[]): SeenVersion[] {
  const all = rows.flatMap(({ newest_versions }) => parseVersions(newest_versions));
  return all.toSorted(([a, aSeen], [b, bSeen]) => bSeen - aSeen || (a < b ? 1 : -1));
}

export function totalKey({ environment, event_key, source }: TotalKey): string {
  return joinKey(environment, event_key, source);
}

function withNovelties(
  workspace_id: string,
  before: EventTotalRow | undefined,
  { environment, event_key, source, versions, shapes, seenAt }: NewTotal,
): EventTotalRow {
  const newest = findNewestVersions([
    { newest_versions: before?.newest_versions ?? '[]' },
    { newest_versions: JSON.stringify(versions) },
  ]);
  return {
    workspace_id,
    environment,
    event_key,
    source,
    versions: (before?.versions ?? 0) + versions.length,
    shapes: (before?.shapes ?? 0) + shapes,
    newest_versions: JSON.stringify(newest.slice(0, MAX_VERSIONS_NAMED)),
    count: 0,
    first_seen: seenAt,
    last_seen: seenAt,
  };
}
