import { type CompiledQuery, sql, type Transaction } from 'kysely';
import { ManyKeys } from '../../storage/many-keys.ts';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { type HolderKind, type Novelty, NOTHING } from '../budget.ts';
import { MAX_HOLDERS_NAMED } from '../limits.ts';
import { sum } from './observations.ts';
import type { UsageRow } from '../tables.ts';

/** One of those that have a budget. */
export interface Holder {
  kind: HolderKind;
  /** As it stands in the column `holder`. */
  name: string;
}

const WORKSPACE = 'workspace';

/** How the names of sources and keys begin. */
export const SOURCE = 'source:';
export const KEY = 'key:';

/** The holders whose budgets what a key brings is charged to, the widest first. */
export function listHolders(source: string, keyId: string): readonly Holder[] {
  return [
    { kind: 'workspace', name: WORKSPACE },
    { kind: 'source', name: `${SOURCE}${source}` },
    { kind: 'key', name: `${KEY}${keyId}` },
  ];
}

const COLUMNS = ['app_versions', 'event_names', 'shapes', 'properties', 'bytes'] as const;

const addRows = new ManyRows(['workspace_id', 'holder', ...COLUMNS], (db, rows: readonly UsageRow[]) =>
  db
    .insertInto('inspector_usage')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'holder']).doUpdateSet({
        app_versions: sum('inspector_usage', 'app_versions'),
        event_names: sum('inspector_usage', 'event_names'),
        shapes: sum('inspector_usage', 'shapes'),
        properties: sum('inspector_usage', 'properties'),
        bytes: sum('inspector_usage', 'bytes'),
      }),
    )
    .returningAll(),
);

const findRows = new ManyKeys<Pick<UsageRow, 'holder'>, UsageRow>('inspector_usage', ['holder']);

/**
 * What adds to what the holders have brought. The rows stay locked until the transaction ends, the workspace's first: so one
 * transaction at a time brings a workspace what is new.
 */
export function compileUsage(
  tx: Transaction<Tables>,
  workspaceId: string,
  added: ReadonlyMap<string, Novelty>,
): CompiledQuery<UsageRow>[] {
  // Each in a statement of its own, since the order in which one statement locks its rows is the engine's.
  return [...added]
    .toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .flatMap(([holder, novelty]) => addRows.compile(tx, [usageRow(workspaceId, holder, novelty)]));
}

/**
 * What locks the workspace's row, and gives what each of the holders has brought. The others get no row before something of
 * theirs is accepted: there is no end to the sources and keys of which all is refused.
 */
export function compileUsageLock(
  tx: Transaction<Tables>,
  workspaceId: string,
  holders: Iterable<Holder>,
): CompiledQuery<UsageRow>[] {
  const others = [...holders].filter(({ kind }) => kind !== 'workspace');
  return [
    ...addRows.compile(tx, [usageRow(workspaceId, WORKSPACE, NOTHING)]),
    ...findRows.compile(
      tx,
      workspaceId,
      others.map(({ name }) => ({ holder: name })),
    ),
  ];
}

/** How many rows of deleted keys are dropped at a time. */
const MOST_DROPPED = 1_000;

/**
 * What drops the rows of deleted keys but for those that have brought the most. No report names the others, and there is no end to
 * keys that are deleted and made anew: so this belongs to each transaction that adds the row of a key.
 */
export function compileEndOfKeys(tx: Transaction<Tables>, workspaceId: string): CompiledQuery {
  const [first, end] = rangeOf(KEY);
  return sql`delete from inspector_usage where workspace_id = ${workspaceId} and holder in (
      select holder from inspector_usage as used
      where workspace_id = ${workspaceId} and holder >= ${first} and holder < ${end}
        and not exists (
          select 1 from api_keys where workspace_id = ${workspaceId} and key_id = substr(used.holder, ${sql.lit(KEY.length + 1)}))
      order by bytes desc, holder limit ${sql.lit(MOST_DROPPED)} offset ${sql.lit(MAX_HOLDERS_NAMED)})`.compile(tx);
}

/** Between which names those of a kind of holder are. */
export function rangeOf(beginning: string): [first: string, end: string] {
  return [beginning, `${beginning}\u{10ffff}`];
}

export function toNovelty(row: UsageRow): Novelty {
  return {
    appVersions: row.app_versions,
    eventNames: row.event_names,
    shapes: row.shapes,
    properties: row.properties,
    bytes: row.bytes,
  };
}

function rank(holder: string): number {
  return holder === WORKSPACE ? 0 : 1;
}

function usageRow(workspaceId: string, holder: string, novelty: Novelty): UsageRow {
  return {
    workspace_id: workspaceId,
    holder,
    app_versions: novelty.appVersions,
    event_names: novelty.eventNames,
    shapes: novelty.shapes,
    properties: novelty.properties,
    bytes: novelty.bytes,
  };
}
