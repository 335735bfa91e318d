import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A part of an index, below the workspace. */
export interface IndexRange<Column extends string = string> {
  /** The columns that have one value throughout; the first ones of the index. */
  fixed: readonly (readonly [column: Column, value: string])[];
  /** The rest of the index, by which the rows are sorted. */
  sorted: readonly Column[];
}

/** The columns that a query of the range is ordered by: all, so that no other index is in this order. */
export function columnsOf<Column extends string>({ fixed, sorted }: IndexRange<Column>): Column[] {
  return [...fixed.map(([column]) => column), ...sorted];
}

/**
 * Whether a row is in the range, and behind a place in it. The engines begin where the one comparison says, and end where the other
 * does. With an equality for each fixed column they would begin with the range at every place, and PostgreSQL, to which these columns
 * are then no part of the order, could go through another index that has the others in the same order.
 *
 * @param place the values of the sorted columns; of none: all of the range
 */
export function isWithin(range: IndexRange, place: readonly string[] = []): RawBuilder<SqlBool> {
  const columns = range.fixed.map(([column]) => column);
  const values = range.fixed.map(([, value]) => value);
  const begin =
    place.length === 0 ? compare(columns, sql`>=`, values) : compare(columnsOf(range), sql`>`, [...values, ...place]);
  return sql`${begin} and ${compare(columns, sql`<=`, values)}`;
}

/**
 * How many of the first rows are read. A number that PostgreSQL's planner is not told: it then expects to need a tenth of the rows,
 * however few it believes there are, and goes through the index in order. Where it expects no more than the number, it may read
 * and sort the whole range, or that of another index.
 */
export function firstRows(count: number): RawBuilder<number> {
  return sql`(select cast(${count} as bigint))`;
}

/**
 * Whether events were counted, of which there are never fewer than none: without statistics PostgreSQL takes it that two of three rows
 * are not above zero, and that all are unlike it. The more it expects to leave out, the less it minds to sort.
 */
export const isCounted = sql<SqlBool>`count <> 0`;

function compare(
  columns: readonly string[],
  operator: RawBuilder<unknown>,
  values: readonly string[],
): RawBuilder<SqlBool> {
  if (columns.length === 0) return sql`true`;
  return sql`(${sql.join(columns.map((column) => sql.ref(column)))}) ${operator} (${sql.join(values)})`;
}
