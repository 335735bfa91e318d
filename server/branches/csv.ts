import { isoTime } from './iso-time.ts';
import type { BranchRow } from './tables.ts';

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
  /** Puts an apostrophe before whatever a spreadsheet could take for the beginning of a formula. Defaults to keeping every byte as it is. */
  forSpreadsheet?: boolean;
}

/** The line with the names of the 12 columns. */
export function csvHeader(): string {
  return `${Object.keys(CELLS).join(',')}\r\n`;
}

/** A line for each branch: RFC 4180, CRLF. */
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

/** RFC 4180, section 2: quotes around what holds a quote, a comma or the end of a line; a quote in it is doubled. */
function written(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * `=`, `+`, `-` and `@`, the minus sign U+2212, and what compatibility normalization (NFKC) turns into one of them: full-width,
 * small, superscript and subscript forms, the Hebrew plus, two and three equals signs. Some spreadsheets normalize what they read.
 */
const STARTERS = String.raw`=+\-@\u207a-\u207c\u208a-\u208c\u2212\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20`;

/**
 * What a spreadsheet could take for the beginning of a formula, wherever a cell may begin: spreadsheets split lines at semicolons,
 * tabs, spaces, bars or what they are told to, some of them although the text stands in quotes ("CSV Injection", OWASP). After a
 * letter, a digit, or what separates neither words nor cells it is a part of the text; but there are letters and marks that nobody
 * sees, such as Hangul's fillers.
 */
const FORMULA = new RegExp(
  String.raw`(?:(?<![\p{L}\p{M}\p{N}._${STARTERS}])|(?<=\p{Default_Ignorable_Code_Point}))[${STARTERS}]`,
  'gu',
);

/** A cell that begins so hides what comes behind. */
const HIDDEN_BEGINNING = /^[\t\r\n\0]/;

function writtenForSpreadsheet(text: string): string {
  const defused = text.replaceAll(FORMULA, "'$&");
  return written(HIDDEN_BEGINNING.test(text) ? `'${defused}` : defused);
}
