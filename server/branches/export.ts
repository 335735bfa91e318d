import { takeTurn } from '@branchline/runtime';
import { csvHeader, csvLines, type CsvOptions } from './csv.ts';
import { rowSize } from './row-size.ts';
import type { BranchRow } from './tables.ts';

/** How many characters of a chunk are written before others get their turn: a branch may be a hundred times another's size. */
const CHARACTERS_IN_A_TURN = 64 * 1024;

export interface CsvExportOptions extends CsvOptions {
  /** Whom the work counts for. */
  holder: string;
}

/**
 * The CSV of all branches, piece by piece. Nothing is read before the first piece is asked for, and the first piece comes
 * only with the first rows: a failure to read them can still be answered as an error. A later failure is thrown on.
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

/** Has browsers save the CSV of a workspace, under a name that is safe wherever that is. */
export function contentDisposition(workspaceId: string): string {
  const name = workspaceId.replaceAll(/[^\w-]/g, '_').slice(0, 100);
  return `attachment; filename="branches-${name}.csv"`;
}

/** The documented path, for who came by the path of the sample. */
export function canonicalLink(workspaceId: string): string {
  return `</workspaces/${encodeURIComponent(workspaceId)}/branches/export/v1>; rel="canonical"`;
}
