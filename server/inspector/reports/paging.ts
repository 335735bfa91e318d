import type { RawBuilder, SqlBool } from 'kysely';
import { readRows, takeFitting } from '../../http/bounded-page.ts';
import { type CursorScope, decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { PAGE_SIZE } from '../limits.ts';
import type { ReportFilter } from './index-orders.ts';
import { type IndexRange, isWithin } from './index-range.ts';

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
  /** Whom the work of reading it counts for. */
  holder: string;
  /** The most entries that the page has. */
  limit: number;
  /** Whether a row is of the report and comes after the page before or, where one is given, after that row. */
  after(row?: Record<Column, string>): RawBuilder<SqlBool>;
  /** Returns the cursor of a page that ends with this row. */
  cursorAfter(row: Record<Column, string>): string;
}

/**
 * Pages a report by the position where the previous page ended, so that every page costs the same.
 *
 * @param range the rows of the report, in its order
 * @returns undefined if the cursor does not belong to this report and filter
 */
export function pagingBy<Column extends string>(
  range: IndexRange<Column>,
  workspaceId: string,
  query: ReportQuery,
): Paging<Column> | undefined {
  const { sorted: columns } = range;
  const { limit = PAGE_SIZE, cursor, eventName, source, appVersion, environment } = query;
  const scope: CursorScope = ['observed', workspaceId, columns, eventName, source, appVersion, environment];
  const shape = columns.map(() => 'string' as const);
  const place = cursor === undefined ? [] : decodeCursor(scope, cursor, shape);
  if (place === undefined) return undefined;
  const placeOf = (row: Record<Column, string>): string[] => columns.map((column) => row[column]);
  return {
    holder: workspaceId,
    limit,
    after: (row) => isWithin(range, row === undefined ? place : placeOf(row)),
    cursorAfter: (row) => encodeCursor(scope, placeOf(row)),
  };
}

/**
 * Reads the rows of a page, whatever their size.
 *
 * @param read reads the first rows after the previous page, or after the given row
 * @param sizeOf the size of a row, in characters
 * @param view makes what is shown of the rows of the page, an entry of each
 */
export async function readPage<Column extends string, Row extends Record<Column, string>, Entry>(
  paging: Paging<Column>,
  read: (after: RawBuilder<SqlBool>, count: number) => Promise<Row[]>,
  sizeOf: (row: Row) => number,
  view: (rows: readonly Row[]) => Promise<Entry[]>,
): Promise<Page<Entry>> {
  const { holder, limit } = paging;
  const { rows, hasMore } = await readRows({
    holder,
    limit,
    read: (last, count) => read(paging.after(last), count),
    sizeOf,
  });
  const entries = await takeFitting(holder, await view(rows));
  const last = rows[entries.length - 1];
  const isLast = !hasMore && entries.length === rows.length;
  return { entries, nextCursor: isLast || last === undefined ? null : paging.cursorAfter(last) };
}
