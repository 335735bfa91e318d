import { stringify } from 'csv-stringify/sync';
import type { BranchRow } from './tables.ts';
import { isoTime } from './view.ts';

/** The cell of each column; null is an empty cell. In the order of "Branch Management HTTP API, Branch statistics row". */
const CELLS: Readonly<Record<string, (branch: BranchRow) => string | null>> = {
  branchName: (branch) => branch.name,
  branchId: (branch) => branch.branch_id,
  branchCreatorId: (branch) => branch.creator_id,
  branchCreatorEmail: (branch) => branch.creator_email,
  creationDate: (branch) => isoTime(branch.created_at),
  branchStatus: (branch) => branch.status,
  collaborators: (branch) => branch.collaborators,
  lastPublishedDate: (branch) => isoTime(branch.last_published_at),
  markedReadyForReviewDate: (branch) => isoTime(branch.ready_at),
  markedReadyForReviewerUserEmail: (branch) => branch.ready_email,
  branchMergedDate: (branch) => isoTime(branch.merged_at),
  branchMergedUserEmail: (branch) => branch.merged_email,
};

const cells = Object.values(CELLS);

/** How CSV is written. */
export interface CsvOptions {
  /** Puts an apostrophe before a cell that a spreadsheet would take for a formula. Defaults to keeping every byte as it is. */
  forSpreadsheet?: boolean;
}

/** The line with the names of the 12 columns. */
export function csvHeader(): string {
  return lines([Object.keys(CELLS)]);
}

/** A line for each branch: RFC 4180, CRLF. */
export function csvLines(branches: readonly BranchRow[], { forSpreadsheet = false }: CsvOptions = {}): string {
  return lines(
    branches.map((branch) => cells.map((cell) => cell(branch))),
    forSpreadsheet,
  );
}

function lines(records: (string | null)[][], escapeFormulas = false): string {
  return stringify(records, { record_delimiter: 'windows', escape_formulas: escapeFormulas });
}
