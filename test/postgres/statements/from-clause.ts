import type { JoinExpr, Node, RangeVar } from 'libpg-query';
import { equalitiesOf, namesShardColumn, resolveAmong, type Side, type TablesByName } from './equalities.ts';

/** That the workspace of a table is that of the other side wherever its row is in the result. */
interface Implication {
  from: Side;
  to: string;
}

export function nameOf({ alias, relname = '' }: RangeVar): string {
  return alias?.aliasname ?? relname;
}

/** The tables of one query, without those of queries within. */
export function tablesIn(from: readonly Node[]): RangeVar[] {
  return from.flatMap((node) => {
    if ('RangeVar' in node) return [node.RangeVar];
    if (!('JoinExpr' in node)) return [];
    const { larg, rarg } = node.JoinExpr;
    return tablesIn([larg, rarg].filter((side) => side !== undefined));
  });
}

/**
 * The workspaces that each table of a query is bound to. The equality may be with a workspace, or with the column of another
 * table that is bound to one; what a query within says does not count, since it is planned by itself.
 */
export function boundWorkspaces(
  tables: TablesByName,
  from: readonly Node[],
  where: Node | undefined,
): ReadonlyMap<string, ReadonlySet<string>> {
  const implications = [
    ...from.flatMap((node) => ofJoins(node, tables)),
    ...bothWays(equalitiesOf(where, resolveAmong(tables))),
  ];
  const bound = new Map([...tables.keys()].map((name) => [name, new Set<string>()]));
  // As many rounds as the longest chain of tables may have.
  for (const _ of tables) {
    for (const { from: side, to } of implications) {
      const workspaces = 'constant' in side ? [side.constant] : (bound.get(side.table) ?? []);
      for (const workspace of workspaces) bound.get(to)?.add(workspace);
    }
  }
  return bound;
}

/** An outer join keeps the rows of one side, or of both, that its condition does not hold for: it says nothing about them. */
function ofJoins(node: Node, tables: TablesByName): Implication[] {
  if (!('JoinExpr' in node)) return [];
  const { larg, rarg, jointype = 'JOIN_INNER', quals } = node.JoinExpr;
  const sides = [larg, rarg].filter((side) => side !== undefined);
  const [left = [], right = []] = sides.map((side) => tablesIn([side]).map(nameOf));
  const equal = [...equalitiesOf(quals, resolveAmong(tables)), ...ofUsing(node.JoinExpr, left, right)];
  const binds = { JOIN_INNER: [...left, ...right], JOIN_LEFT: right, JOIN_RIGHT: left };
  const bindable = jointype in binds ? binds[jointype as keyof typeof binds] : [];
  return [
    ...sides.flatMap((side) => ofJoins(side, tables)),
    ...bothWays(equal).filter(({ to }) => bindable.includes(to)),
  ];
}

function ofUsing({ usingClause = [] }: JoinExpr, left: readonly string[], right: readonly string[]): [Side, Side][] {
  if (!namesShardColumn(usingClause)) return [];
  return left.flatMap((one) => right.map((other): [Side, Side] => [{ table: one }, { table: other }]));
}

function bothWays(equalities: readonly (readonly [Side, Side])[]): Implication[] {
  return equalities.flatMap(([a, b]) => [
    ...('table' in b ? [{ from: a, to: b.table }] : []),
    ...('table' in a ? [{ from: b, to: a.table }] : []),
  ]);
}
