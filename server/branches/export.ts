import { csvHeader, csvLines, type CsvOptions } from './csv.ts';
import type { BranchRow } from './tables.ts';

/**
 * The CSV of all branches, piece by piece. Nothing is read before the first piece is asked for, and the first piece comes
 * only with the first rows: a failure to read them can still be answered as an error. A later failure is thrown on.
 */
export async function* csvExport(chunks: AsyncIterable<BranchRow[]>, options: CsvOptions): AsyncGenerator<string> {
  let header = csvHeader();
  for await (const branches of chunks) {
    yield header + csvLines(branches, options);
    header = '';
  }
  if (header !== '') yield header;
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
