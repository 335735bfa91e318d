import type { A_Expr, ColumnRef, Node, RangeVar } from 'libpg-query';

/** The column by which the tables are sharded. */
const SHARD_COLUMN = 'workspace_id';

/** One side of an equality: a workspace, as a parameter or literal, or the workspace of a table of the same query. */
export type Side = { constant: string } | { table: string };

/** Which of the two sides stands for the workspace of a name of a table; undefined where the column is none of such a table. */
type Resolve = (column: ColumnRef) => string | undefined;

/** The tables of one query by the names that they have in it, without those of queries within. */
export type TablesByName = ReadonlyMap<string, RangeVar>;

/** Finds which table's workspace a column is. */
export function resolveAmong(tables: TablesByName): Resolve {
  return ({ fields = [] }) => {
    const names = fields.map((field) => ('String' in field ? field.String.sval : undefined));
    if (names.pop() !== SHARD_COLUMN) return undefined;
    // A column without a table's name would be ambiguous if there were another.
    const [only] = tables.keys();
    const [name = tables.size === 1 ? only : undefined] = names;
    return name !== undefined && tables.has(name) ? name : undefined;
  };
}

/** Whether an assignment or a column of an insert is of the workspace. */
export function isShardColumn(node: Node): boolean {
  return 'ResTarget' in node && node.ResTarget.name === SHARD_COLUMN;
}

/** Whether `join … using` or the like names it. */
export function namesShardColumn(nodes: readonly Node[]): boolean {
  return nodes.some((node) => 'String' in node && node.String.sval === SHARD_COLUMN);
}

/** The equalities of workspaces that must hold for a condition to hold. */
export function equalitiesOf(condition: Node | undefined, resolve: Resolve): [Side, Side][] {
  if (condition === undefined) return [];
  if ('BoolExpr' in condition) {
    const { boolop, args = [] } = condition.BoolExpr;
    return boolop === 'AND_EXPR' ? args.flatMap((one) => equalitiesOf(one, resolve)) : [];
  }
  if (!('A_Expr' in condition)) return [];
  return pairsOf(condition.A_Expr).flatMap(([left, right]) => {
    const sides = [sideOf(left, resolve), sideOf(right, resolve)] as const;
    return sides[0] !== undefined && sides[1] !== undefined ? [[sides[0], sides[1]]] : [];
  });
}

/** What is compared with what, in `a = b`, `(a, b) = (c, d)` and `a in (b)`. */
function pairsOf({ kind, name = [], lexpr, rexpr }: A_Expr): [Node, Node][] {
  const isEqual = name.some((one) => 'String' in one && one.String.sval === '=');
  if (!isEqual || lexpr === undefined || rexpr === undefined) return [];
  if (kind === 'AEXPR_IN') {
    const [only, ...others] = 'List' in rexpr ? (rexpr.List.items ?? []) : [];
    return only !== undefined && others.length === 0 ? [[lexpr, only]] : [];
  }
  if (kind !== 'AEXPR_OP') return [];
  if (!('RowExpr' in lexpr) || !('RowExpr' in rexpr)) return [[lexpr, rexpr]];
  const right = rexpr.RowExpr.args ?? [];
  return (lexpr.RowExpr.args ?? []).flatMap((one, index) => {
    const other = right[index];
    return other === undefined ? [] : [[one, other]];
  });
}

function sideOf(node: Node, resolve: Resolve): Side | undefined {
  const constant = constantOf(node);
  if (constant !== undefined) return { constant };
  const table = 'ColumnRef' in node ? resolve(node.ColumnRef) : undefined;
  return table === undefined ? undefined : { table };
}

/** `$1` or `'shop'`, however it is cast; undefined for all else. */
export function constantOf(node: Node): string | undefined {
  if ('TypeCast' in node) return node.TypeCast.arg && constantOf(node.TypeCast.arg);
  if ('ParamRef' in node) return `$${node.ParamRef.number}`;
  if ('A_Const' in node && node.A_Const.sval !== undefined) return `'${node.A_Const.sval.sval ?? ''}'`;
  return undefined;
}
