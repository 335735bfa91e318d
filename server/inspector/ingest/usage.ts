import type { CompiledQuery, Transaction } from 'kysely';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { type HolderKind, type Novelty, NOTHING } from '../budget.ts';
import { sum } from './observations.ts';
import type { UsageRow } from '../tables.ts';

/** One of those that have a budget. */
export interface Holder {
  kind: HolderKind;
  /** As it stands in the column `holder`. */
  name: string;
}

/** The holders whose budgets what a key brings is charged to, the widest first. */
export function listHolders(source: string, keyId: string): readonly Holder[] {
  return [
    { kind: 'workspace', name: 'workspace' },
    { kind: 'source', name: `source:${source}` },
    { kind: 'key', name: `key:${keyId}` },
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

/** What locks the rows of the holders, and gives what each has brought. */
export function compileUsageLock(
  tx: Transaction<Tables>,
  workspaceId: string,
  holders: Iterable<Holder>,
): CompiledQuery<UsageRow>[] {
  return compileUsage(tx, workspaceId, new Map([...holders].map(({ name }) => [name, NOTHING])));
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
  return holder === 'workspace' ? 0 : 1;
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
