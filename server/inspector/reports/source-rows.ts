import { takeTurn } from '@branchline/runtime';
import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import type { PlaceFilter } from './index-orders.ts';

/** About how many rows a report has the database add up in one turn. */
const ROWS_OF_A_TURN = 2_000;

/** As how many of these one counts that comes as a whole, with the names in it. */
export const ROWS_OF_A_WHOLE = 6;

/** How many names of sources are read at a time. */
const NAMES_AT_A_TIME = 1_000;

/** Sources that are adjacent in the order of the database. */
export interface SourceRange {
  /** Undefined: from the first one on. */
  after: string | undefined;
  /** Undefined: to the last one. */
  upTo: string | undefined;
}

/** The sources that a report is about, in the order of the database: in at most each of them what it reads has a row. */
export async function listSources(
  db: Kysely<Tables>,
  workspaceId: string,
  { source }: Pick<PlaceFilter, 'source'>,
): Promise<string[]> {
  if (source !== undefined) return [source];
  const sources: string[] = [];
  for (let hasMore = true; hasMore;) {
    await takeTurn(workspaceId);
    const rows = await db
      .selectFrom('sources')
      .select('source')
      .where('workspace_id', '=', workspaceId)
      .where('source', '>', sources.at(-1) ?? '')
      .orderBy('source')
      .limit(NAMES_AT_A_TIME)
      .execute();
    for (const row of rows) sources.push(row.source);
    hasMore = rows.length === NAMES_AT_A_TIME;
  }
  return sources;
}

/** Of how many things that have so many rows each one turn may read. */
export function fitInTurn(rowsOfEach: number): number {
  return Math.max(1, Math.floor(ROWS_OF_A_TURN / Math.max(1, rowsOfEach)));
}

/** Splits what is to be read into the parts of one turn each. */
export function* splitByRows<Wanted>(wanted: readonly Wanted[], rowsOfEach: number): Generator<Wanted[], void> {
  const size = fitInTurn(rowsOfEach);
  for (let start = 0; start < wanted.length; start += size) yield wanted.slice(start, start + size);
}

/** The same for all sources, those too that have come since they were listed. */
export function splitSources(sources: readonly string[], rowsOfEach: number): SourceRange[] {
  const ends = Array.from(splitByRows(sources, rowsOfEach), (part) => part.at(-1));
  return [undefined, ...ends.slice(0, -1)].map((after, index, { length }) => ({
    after,
    upTo: index === length - 1 ? undefined : ends[index],
  }));
}

/** Splits the days of sources, each of which has so many rows a day, into the parts of one turn each. */
export function* splitDays(
  sources: readonly string[],
  days: readonly string[],
  rowsOfDay: number,
): Generator<{ range: SourceRange; days: string[] }, void> {
  const inTurn = Math.min(sources.length, fitInTurn(rowsOfDay));
  for (const range of splitSources(sources, rowsOfDay)) {
    for (const some of splitByRows(days, rowsOfDay * inTurn)) yield { range, days: some };
  }
}

/** Whether a row is of a source in the range. */
export function isOfSources({ after, upTo }: SourceRange): RawBuilder<SqlBool> {
  const begin = after === undefined ? sql`true` : sql`source > ${after}`;
  return upTo === undefined ? sql`${begin}` : sql`${begin} and source <= ${upTo}`;
}
