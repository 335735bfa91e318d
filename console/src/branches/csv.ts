import { defuseFormulas } from '@branchline/server/browser';
import type { components } from '../client/generated/types.ts';

type Branch = components['schemas']['Branch'];

/** The columns, named and ordered as in the export. */
const CELLS: Readonly<Record<string, (branch: Branch) => string | null>> = {
  branchName: (branch) => branch.branchName,
  branchId: (branch) => branch.branchId,
  branchCreatorId: (branch) => branch.branchCreatorId,
  branchCreatorEmail: (branch) => branch.branchCreatorEmail,
  creationDate: (branch) => branch.creationDate,
  branchStatus: (branch) => branch.branchStatus,
  collaborators: (branch) => JSON.stringify(branch.collaborators),
  lastPublishedDate: (branch) => branch.lastPublishedDate,
  markedReadyForReviewDate: (branch) => branch.markedReadyForReviewDate,
  markedReadyForReviewerUserEmail: (branch) => branch.markedReadyForReviewerUserEmail,
  branchMergedDate: (branch) => branch.branchMergedDate,
  branchMergedUserEmail: (branch) => branch.branchMergedUserEmail,
};

export const CSV_HEADER = `${Object.keys(CELLS).join(',')}\r\n`;

/**
 * Writes the branch's line: RFC 4180, CRLF; an empty cell means that the step never happened. People open the file in a
 * spreadsheet, so the format is that of the export with `safe=spreadsheet`.
 */
export function csvLine(branch: Branch): string {
  const cells = Object.values(CELLS).map((cell) => written(defuseFormulas(cell(branch) ?? '')));
  return `${cells.join(',')}\r\n`;
}

function written(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
