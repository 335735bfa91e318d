import { fingerprintSync, loadModule, type Node, parseSync, type SelectStmt } from 'libpg-query';
import type { LoggedStatement } from '../../../server/storage/testing/statement-log.ts';
import { UNGUARDED } from './exempt.ts';
import { tablesIn } from './from-clause.ts';
import { SHARDED_TABLES } from './workspace-rule.ts';

await loadModule();

const TABLES = new Set(SHARDED_TABLES);

/** What a statement does, whichever its workspaces are. */
interface Deeds {
  /** It finds its workspace alive and locks the row, or makes it. */
  guards: boolean;
  /** The tables of workspaces in which it adds or changes rows, but for those where it may without a guard. */
  writes: Set<string>;
  /** Those exceptions. */
  exceptions: Set<string>;
}

/** The workspaces that a transaction has found alive, and has locked. */
interface Guarded {
  transaction: string;
  workspaces: Set<string>;
}

/**
 * Looks whether each transaction that adds or changes rows of a workspace has found it alive before, by a look that locks its
 * row. Otherwise the workspace may end meanwhile, be emptied, and get rows that nobody ever deletes.
 */
export class LiveGuard {
  readonly #deeds = new Map<string, Deeds>();
  /** By session. */
  readonly #guarded = new Map<string, Guarded>();
  readonly #written = new Set<string>();
  readonly #used = new Set<string>();

  /** The tables in which rows were added or changed. */
  get written(): ReadonlySet<string> {
    return this.#written;
  }

  /** The exceptions that nothing made use of. */
  get unused(): string[] {
    return UNGUARDED.map(({ table }) => table).filter((table) => !this.#used.has(table));
  }

  /**
   * @param workspaces those that the statement names
   * @returns what is wrong with it, after what the same session has sent before: at most one problem
   */
  check(
    { sql, session, transaction }: Pick<LoggedStatement, 'sql' | 'session' | 'transaction'>,
    workspaces: ReadonlySet<string | null | undefined>,
  ): string[] {
    const deeds = this.#deeds.get(sql) ?? deedsOf(sql);
    this.#deeds.set(sql, deeds);
    for (const table of deeds.exceptions) this.#used.add(table);
    for (const table of deeds.writes) this.#written.add(table);
    const before = this.#guarded.get(session);
    const guarded = before?.transaction === transaction ? before : { transaction, workspaces: new Set<string>() };
    this.#guarded.set(session, guarded);
    if (deeds.guards) for (const workspace of workspaces) if (workspace != null) guarded.workspaces.add(workspace);
    if (deeds.writes.size === 0) return [];
    const isGuarded =
      workspaces.size > 0 &&
      [...workspaces].every((workspace) => workspace != null && guarded.workspaces.has(workspace));
    return isGuarded ? [] : [`${[...deeds.writes].join()}: written by a transaction that has not locked its workspace`];
  }
}

function deedsOf(sql: string): Deeds {
  const deeds: Deeds = { guards: false, writes: new Set(), exceptions: new Set() };
  const exceptions = UNGUARDED.filter(
    ({ only }) => only === undefined || fingerprintSync(only) === fingerprintSync(sql),
  );
  const tables = new Set(exceptions.map(({ table }) => table));
  for (const { stmt } of parseSync(sql).stmts ?? []) {
    if (stmt === undefined) continue;
    deeds.guards ||= isGuard(stmt);
    for (const table of tablesWrittenIn(stmt)) {
      if (!TABLES.has(table) || table === 'workspaces') continue;
      (tables.has(table) ? deeds.exceptions : deeds.writes).add(table);
    }
  }
  return deeds;
}

/** Whether it locks a row of `workspaces` that has not ended, however weakly, or adds one. */
function isGuard(stmt: Node): boolean {
  if ('InsertStmt' in stmt) return stmt.InsertStmt.relation?.relname === 'workspaces';
  if (!('SelectStmt' in stmt)) return false;
  const { lockingClause = [], fromClause = [], whereClause }: SelectStmt = stmt.SelectStmt;
  const [table, ...others] = tablesIn(fromClause);
  return lockingClause.length > 0 && table?.relname === 'workspaces' && others.length === 0 && asksForLife(whereClause);
}

/** Whether a condition holds only where `deleted_at is null`. */
function asksForLife(condition: Node | undefined): boolean {
  if (condition === undefined) return false;
  if ('BoolExpr' in condition) {
    const { boolop, args = [] } = condition.BoolExpr;
    return boolop === 'AND_EXPR' && args.some(asksForLife);
  }
  if (!('NullTest' in condition) || condition.NullTest.nulltesttype !== 'IS_NULL') return false;
  const { arg } = condition.NullTest;
  const last = arg !== undefined && 'ColumnRef' in arg ? arg.ColumnRef.fields?.at(-1) : undefined;
  return last !== undefined && 'String' in last && last.String.sval === 'deleted_at';
}

/** Those of a part of a statement in which rows are added or changed, and of the queries within, however deep. */
function tablesWrittenIn(part: object): string[] {
  return Object.entries<unknown>({ ...part }).flatMap(([kind, node]) => {
    if (typeof node !== 'object' || node === null) return [];
    const { relation }: { relation?: { relname?: string } } = node;
    const own = kind === 'InsertStmt' || kind === 'UpdateStmt' ? [relation?.relname ?? ''] : [];
    return [...own, ...tablesWrittenIn(node)];
  });
}
