import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { digest } from './keys.ts';
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
  /** The cursor of a page that ends with this row. */
  cursorAfter(row: Record<Column, string>): string;
  /** Makes the page of the rows that were read. */
  pageOf<Row extends Record<Column, string>, Entry>(rows: readonly Row[], view: (row: Row) => Entry): Page<Entry>;
}

/**
 * Pages by the place where the one before ended, so that every page costs the same.
 *
 * @param columns by these the report is sorted; together they tell its rows apart
 * @param table that has the columns, in a query of several
 * @returns undefined when the cursor does not belong to this report and filter
 */
export function pagingBy<Column extends string>(
  columns: readonly Column[],
  query: ReportQuery,
  table?: string,
): Paging<Column> | undefined {
  const { limit = PAGE_SIZE, cursor, eventName, source, appVersion, environment } = query;
  const mark = digest(JSON.stringify([columns, eventName, source, appVersion, environment])).slice(0, 8);
  const place = cursor === undefined ? [] : readCursor(cursor, mark, columns);
  if (place === undefined) return undefined;
  const cursorAfter = (row: Record<Column, string>): string =>
    encodeCursor([mark, ...columns.map((column) => row[column])]);
  return {
    rows: limit + 1,
    after: isAfter(
      columns.map((column) => (table === undefined ? column : `${table}.${column}`)),
      place,
    ),
    cursorAfter,
    pageOf(rows, view) {
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      return { entries: page.map(view), nextCursor: last === undefined ? null : cursorAfter(last) };
    },
  };
}

function readCursor(cursor: string, mark: string, columns: readonly string[]): string[] | undefined {
  const [found, ...place] = decodeCursor(cursor, ['string', ...columns.map(() => 'string' as const)]) ?? [];
  return found === mark ? place : undefined;
}

function isAfter(columns: readonly string[], place: readonly string[]): RawBuilder<SqlBool> {
  if (place.length === 0) return sql`true`;
  return sql`(${sql.join(columns.map((column) => sql.ref(column)))}) > (${sql.join(place)})`;
}
