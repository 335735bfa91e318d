import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import { Problem, succeed } from '../client/problem.ts';
import { waitFor } from '../client/reading.ts';
import { Icon } from '../parts/icon.tsx';
import { numberText } from '../parts/numbers.ts';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { CSV_HEADER, csvLine } from './csv.ts';
import type { ListQuery } from './filters.ts';

/** The maximum number of branches per request. */
const PAGE_SIZE = 200;

interface CsvDownloadProps {
  workspaceId: string;
  query: ListQuery;
}

/** Saves all pages of the list as CSV: the same branches in the same order, with the columns of the export. */
export function CsvDownload({ workspaceId, query }: CsvDownloadProps) {
  const [rows, setRows] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  async function download(): Promise<void> {
    const controller = new AbortController();
    stop.current = controller;
    setProblem(undefined);
    setRows(0);
    try {
      const file = await collectCsv(workspaceId, query, { tell: setRows, signal: controller.signal });
      const { sort: _, ...filters } = query;
      save(file, `branches-${workspaceId}${Object.keys(filters).length === 0 ? '' : '-filtered'}.csv`);
    } catch (error) {
      if (error instanceof Problem) setProblem(error);
      else if (!controller.signal.aborted) throw error;
    } finally {
      setRows(undefined);
    }
  }

  return (
    <>
      {rows === undefined ? (
        <button type="button" onClick={download}>
          <Icon name="download" /> CSV
        </button>
      ) : (
        <span class="progress">
          <span role="status">{numberText(rows)} rows…</span>
          <button type="button" onClick={() => stop.current?.abort()}>
            Cancel
          </button>
        </span>
      )}
      <ProblemNotice problem={problem} />
    </>
  );
}

interface Collecting {
  /** Called with the number of rows so far. */
  tell: (rows: number) => void;
  signal: AbortSignal;
}

async function collectCsv(workspaceId: string, query: ListQuery, { tell, signal }: Collecting): Promise<Blob> {
  let file = new Blob([CSV_HEADER], { type: 'text/csv;charset=utf-8' });
  let rows = 0;
  let cursor: string | null = null;
  do {
    const page = await readPage(
      workspaceId,
      { ...query, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) },
      signal,
    );
    // Browsers can keep a blob on disk; a string of all rows would have to fit into memory.
    file = new Blob([file, ...page.branches.map(csvLine)], { type: file.type });
    rows += page.branches.length;
    tell(rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return file;
}

/** Reads one page, retrying when the server's rate limit refuses it. */
async function readPage(workspaceId: string, query: ListQuery, signal: AbortSignal) {
  for (;;) {
    try {
      return (await succeed(api.listBranches({ params: { workspaceId }, query }, { signal }))).body;
    } catch (error) {
      if (!(error instanceof Problem) || error.retryAfter === undefined) throw error;
      await waitFor(error.retryAfter, signal);
    }
  }
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
