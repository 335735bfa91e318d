import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type CursorScope, decodeCursor, encodeCursor } from '../http/cursor.ts';
import { PAGE_SIZE } from './limits.ts';
import type { ReportFilter } from './orders.ts';

/** Which entries of a report are asked for. */
export interface ReportQuery extends ReportFilter {
  /** The most entries of a page. Defaults to the contract's. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
}

export interface Page<Entry> {
  entries: Entry[];
  /** null on the last page. */
  nextCursor: string | null;
}

/** How one page of a sorted report is read. */
export interface Paging<Column extends string> {
  /** How many rows to read: one more than the page holds, which shows whether there is a next one. */
  rows: number;
  /** Whether a row comes after the page before. */
  after: RawBuilder<SqlBool>;
  /** Makes the page of the rows that were read. */
  pageOf<Row extends Record<Column, string>, Entry>(rows: readonly Row[], view: (row: Row) => Entry): Page<Entry>;
}

/**
 * Pages by the place where the one before ended, so that every page costs the same.
 *
 * @param columns by these the report is sorted; together they tell its rows apart
 * @returns undefined when the cursor does not belong to this report and filter
 */
export function pagingBy<Column extends string>(
  columns: readonly Column[],
  query: ReportQuery,
): Paging<Column> | undefined {
  const { limit = PAGE_SIZE, cursor, eventName, source, appVersion, environment } = query;
  const scope: CursorScope = ['observed', columns, eventName, source, appVersion, environment];
  const shape = columns.map(() => 'string' as const);
  const place = cursor === undefined ? [] : decodeCursor(scope, cursor, shape);
  if (place === undefined) return undefined;
  return {
    rows: limit + 1,
    after: isAfter(columns, place),
    pageOf(rows, view) {
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const nextCursor = last === undefined ? null : encodeCursor(scope, placeOf(last, columns));
      return { entries: page.map(view), nextCursor };
    },
  };
}

function placeOf<Column extends string>(row: Record<Column, string>, columns: readonly Column[]): string[] {
  return columns.map((column) => row[column]);
}

function isAfter(columns: readonly string[], place: readonly string[]): RawBuilder<SqlBool> {
  if (place.length === 0) return sql`true`;
  return sql`(${sql.join(columns.map((column) => sql.ref(column)))}) > (${sql.join(place)})`;
}
