import { takeTurn } from '@branchline/runtime';
import { csvHeader, csvLines, type CsvOptions } from './csv.ts';
import { rowSize } from './row-size.ts';
import type { BranchRow } from './tables.ts';

/** The number of characters of a chunk written before others get a turn: branches differ in size by a factor of a hundred. */
const CHARACTERS_IN_A_TURN = 64 * 1024;

export interface CsvExportOptions extends CsvOptions {
  /** The share that the work counts towards. */
  holder: string;
}

/**
 * Streams the CSV of all branches. Nothing is read before the first chunk is requested, and the first chunk
 * contains the first rows: a failure to read them can still be answered as an error. Later failures are thrown.
 */
export async function* csvExport(
  chunks: AsyncIterable<BranchRow[]>,
  { holder, ...options }: CsvExportOptions,
): AsyncGenerator<string> {
  let header = csvHeader();
  for await (const branches of chunks) {
    for (const some of splitPortions(branches)) {
      await takeTurn(holder);
      yield header + csvLines(some, options);
      header = '';
    }
  }
  if (header !== '') yield header;
}

function* splitPortions(branches: readonly BranchRow[]): Iterable<BranchRow[]> {
  let some: BranchRow[] = [];
  let characters = 0;
  for (const branch of branches) {
    some.push(branch);
    characters += rowSize(branch);
    if (characters < CHARACTERS_IN_A_TURN) continue;
    yield some;
    some = [];
    characters = 0;
  }
  if (some.length > 0) yield some;
}

/** Makes browsers save the CSV of a workspace, under a file name that is safe everywhere. */
export function contentDisposition(workspaceId: string): string {
  const name = workspaceId.replaceAll(/[^\w-]/g, '_').slice(0, 100);
  return `attachment; filename="branches-${name}.csv"`;
}

/** Links to the documented path, for clients of the sample's path. */
export function canonicalLink(workspaceId: string): string {
  return `</workspaces/${encodeURIComponent(workspaceId)}/branches/export/v1>; rel="canonical"`;
}
