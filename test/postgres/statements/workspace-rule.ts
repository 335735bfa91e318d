import {
  type DeleteStmt,
  type InsertStmt,
  loadModule,
  type Node,
  parseSync,
  type RangeVar,
  type SelectStmt,
  type TruncateStmt,
  type UpdateStmt,
} from 'libpg-query';
import { WORKSPACE_TABLES } from '../../../server/storage/tables.ts';
import { constantOf, isShardColumn } from './equalities.ts';
import { EMPTIED_WHOLE, EXEMPT_KINDS } from './exempt.ts';
import { boundWorkspaces, nameOf, tablesIn } from './from-clause.ts';

/** The tables that can be sharded by `workspace_id`. */
export const SHARDED_TABLES: readonly string[] = ['workspaces', ...WORKSPACE_TABLES, 'rate_limits', 'live_messages'];

/** The tables that every database has one of, and which no request uses. */
export const LOCAL_TABLES: readonly string[] = ['maintenance', 'kysely_migration', 'kysely_migration_lock'];

/** Tables that are there for one transaction, to see whether the disk has room. */
const TRIAL_TABLE = /^room_[0-9a-f-]{36}$/;

const SYSTEM_SCHEMAS = new Set(['pg_catalog', 'information_schema']);

/** Statements that are about no table, or go on with one that was looked at. */
const OF_SESSIONS = [
  'TransactionStmt',
  'VariableSetStmt',
  'VariableShowStmt',
  'FetchStmt',
  'ClosePortalStmt',
  'ListenStmt',
];

export interface Verdict {
  /** Each names a table and what is missing. */
  problems: string[];
  /** The sharded tables that it reads or writes. */
  tables: Set<string>;
  /** The workspaces that the statement names, as `$1` or `'shop'`. They must all be one. */
  workspaces: Set<string>;
}

await loadModule();

/**
 * Whether a statement can be run by the one shard that has a workspace. It must name the workspace of every table by an
 * equality with a value, in each of its queries, give one to every row that it inserts, and never change that of a row.
 */
export function checkStatement(sql: string): Verdict {
  const verdict: Verdict = { problems: [], tables: new Set(), workspaces: new Set() };
  for (const { stmt } of parseSync(sql).stmts ?? []) if (stmt !== undefined) checkNode(stmt, new Set(), verdict);
  return verdict;
}

/** A query and where it stands: the names of `with` that it can use are no tables. */
type Check<Statement> = (statement: Statement, names: ReadonlySet<string>, verdict: Verdict) => void;

const checkNode: Check<Node> = (node, names, verdict) => {
  if ('SelectStmt' in node) checkSelect(node.SelectStmt, names, verdict);
  else if ('InsertStmt' in node) checkInsert(node.InsertStmt, names, verdict);
  else if ('UpdateStmt' in node) checkUpdate(node.UpdateStmt, names, verdict);
  else if ('DeleteStmt' in node) checkDelete(node.DeleteStmt, names, verdict);
  else if ('TruncateStmt' in node) checkTruncate(node.TruncateStmt, verdict);
  else if ('DeclareCursorStmt' in node) checkWithin(node, names, verdict);
  else if (![...OF_SESSIONS, ...EXEMPT_KINDS].some((kind) => kind in node)) {
    verdict.problems.push(`${Object.keys(node).join()} is no statement of a request`);
  }
};

const checkSelect: Check<SelectStmt> = (select, outerNames, verdict) => {
  const names = withNames(select, outerNames);
  const { larg, rarg, ...rest } = select;
  for (const side of [larg, rarg]) if (side !== undefined) checkSelect(side, names, verdict);
  const from = select.fromClause ?? [];
  checkBound(tablesIn(from), { from, where: select.whereClause }, names, verdict);
  checkWithin(rest, names, verdict);
};

const checkUpdate: Check<UpdateStmt> = (update, outerNames, verdict) => {
  const { relation, fromClause: from = [], whereClause: where, targetList } = update;
  const names = withNames(update, outerNames);
  checkBound([...asList(relation), ...tablesIn(from)], { from, where }, names, verdict);
  checkAssignments(relation, targetList, verdict);
  checkWithin(update, names, verdict);
};

const checkDelete: Check<DeleteStmt> = (statement, outerNames, verdict) => {
  const { relation, usingClause: from = [], whereClause: where } = statement;
  const names = withNames(statement, outerNames);
  checkBound([...asList(relation), ...tablesIn(from)], { from, where }, names, verdict);
  checkWithin(statement, names, verdict);
};

function checkTruncate({ relations = [] }: TruncateStmt, { problems, tables }: Verdict): void {
  for (const { relname = '' } of relations.flatMap((node) => ('RangeVar' in node ? [node.RangeVar] : []))) {
    tables.add(relname);
    if (!EMPTIED_WHOLE.includes(relname)) problems.push(`${relname}: is emptied for all workspaces at once`);
  }
}

const checkInsert: Check<InsertStmt> = (insert, outerNames, verdict) => {
  const { relation, cols = [], selectStmt, onConflictClause } = insert;
  const names = withNames(insert, outerNames);
  const place = cols.findIndex(isShardColumn);
  for (const { relname } of shardedAmong(asList(relation), names, verdict)) {
    const rows = selectStmt !== undefined && 'SelectStmt' in selectStmt ? rowsOf(selectStmt.SelectStmt) : [];
    const given = rows.map((row) => row[place]).map((value) => value && constantOf(value));
    for (const workspace of given) if (workspace !== undefined) verdict.workspaces.add(workspace);
    if (given.length === 0 || given.includes(undefined)) {
      verdict.problems.push(`${relname}: a row is inserted without a value for workspace_id`);
    }
  }
  checkAssignments(relation, onConflictClause?.targetList, verdict);
  checkWithin(insert, names, verdict);
};

/** The values of each row, or those that every row of a query has. */
function rowsOf({ valuesLists, targetList }: SelectStmt): (Node | undefined)[][] {
  if (valuesLists !== undefined) return valuesLists.map((row) => ('List' in row ? (row.List.items ?? []) : []));
  return targetList === undefined
    ? []
    : [targetList.map((one) => ('ResTarget' in one ? one.ResTarget.val : undefined))];
}

function checkAssignments(
  relation: RangeVar | undefined,
  assignments: readonly Node[] = [],
  { problems }: Verdict,
): void {
  if (assignments.some(isShardColumn))
    problems.push(`${relation?.relname}: workspace_id is set, which would move the row`);
}

function checkBound(
  relations: readonly RangeVar[],
  { from, where }: { from: readonly Node[]; where: Node | undefined },
  names: ReadonlySet<string>,
  verdict: Verdict,
): void {
  const tables = new Map(shardedAmong(relations, names, verdict).map((table) => [nameOf(table), table]));
  for (const [name, workspaces] of boundWorkspaces(tables, from, where)) {
    for (const workspace of workspaces) verdict.workspaces.add(workspace);
    const table = tables.get(name)?.relname;
    const inWords = table === name ? name : `${table} as ${name}`;
    if (workspaces.size === 0) verdict.problems.push(`${inWords}: no equality of its workspace_id with a value`);
  }
}

function shardedAmong(relations: readonly RangeVar[], names: ReadonlySet<string>, verdict: Verdict): RangeVar[] {
  const tables = relations.filter(
    ({ schemaname, relname = '' }) =>
      !LOCAL_TABLES.includes(relname) &&
      !TRIAL_TABLE.test(relname) &&
      (schemaname === undefined ? !names.has(relname) : !SYSTEM_SCHEMAS.has(schemaname)),
  );
  return tables.filter(({ relname = '' }) => {
    const known = SHARDED_TABLES.includes(relname);
    if (known) verdict.tables.add(relname);
    else verdict.problems.push(`${relname}: is no table that is known to be sharded`);
    return known;
  });
}

function withNames({ withClause }: Pick<SelectStmt, 'withClause'>, outer: ReadonlySet<string>): Set<string> {
  const ctes = withClause?.ctes ?? [];
  return new Set([
    ...outer,
    ...ctes.map((cte) => ('CommonTableExpr' in cte ? (cte.CommonTableExpr.ctename ?? '') : '')),
  ]);
}

/** Checks the queries within, however deep. */
function checkWithin(part: object, names: ReadonlySet<string>, verdict: Verdict): void {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value !== 'object' || value === null) continue;
    if (QUERIES.has(key)) checkNode({ [key]: value } as Node, names, verdict);
    else checkWithin(value, names, verdict);
  }
}

const QUERIES = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

function asList<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}
