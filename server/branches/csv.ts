import { defuseFormulas } from './formulas.ts';
import { isoTime } from './iso-time.ts';
import { parseCollaborators } from './projection.ts';
import type { BranchRow } from './tables.ts';

/** The cell of each column; null is an empty cell. In the order of "Branch Management HTTP API, Branch statistics row". */
const CELLS: Readonly<Record<string, (branch: BranchRow) => string | null>> = {
  branchName: (branch) => branch.name,
  branchId: (branch) => branch.branch_id,
  branchCreatorId: (branch) => branch.creator_id,
  branchCreatorEmail: (branch) => branch.creator_email,
  creationDate: (branch) => isoTime(branch.created_at),
  branchStatus: (branch) => branch.status,
  collaborators: writtenCollaborators,
  lastPublishedDate: (branch) => isoTime(branch.last_published_at),
  markedReadyForReviewDate: (branch) => isoTime(branch.ready_at),
  markedReadyForReviewerUserEmail: (branch) => branch.ready_email,
  branchMergedDate: (branch) => isoTime(branch.merged_at),
  branchMergedUserEmail: (branch) => branch.merged_email,
};

const cells = Object.values(CELLS);

/** The options of CSV writing. */
export interface CsvOptions {
  /** Puts an apostrophe before everything that a spreadsheet could read as a formula. Defaults to leaving the bytes unchanged. */
  forSpreadsheet?: boolean;
}

/** The header line with the names of the 12 columns. */
export function csvHeader(): string {
  return `${Object.keys(CELLS).join(',')}\r\n`;
}

/** Writes a line per branch: RFC 4180, CRLF. */
export function csvLines(branches: readonly BranchRow[], { forSpreadsheet = false }: CsvOptions = {}): string {
  const write = forSpreadsheet ? writtenForSpreadsheet : written;
  let lines = '';
  for (const branch of branches) {
    let separator = '';
    for (const cell of cells) {
      const text = cell(branch);
      lines += text === null ? separator : separator + write(text);
      separator = ',';
    }
    lines += '\r\n';
  }
  return lines;
}

/** As they are stored. They are read, too, so that no file passes on what is damaged. */
function writtenCollaborators(branch: BranchRow): string {
  parseCollaborators(branch);
  return branch.collaborators;
}

/** RFC 4180, section 2: cells with quotes, commas or line ends are quoted, and quotes in them doubled. */
function written(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function writtenForSpreadsheet(text: string): string {
  return written(defuseFormulas(text));
}
