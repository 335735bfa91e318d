import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';

const COLUMNS =
  'branchName,branchId,branchCreatorId,branchCreatorEmail,creationDate,branchStatus,collaborators,lastPublishedDate,' +
  'markedReadyForReviewDate,markedReadyForReviewerUserEmail,branchMergedDate,branchMergedUserEmail';

/** The columns of a branch's line that proofs look at. */
export interface ExportedBranch {
  branchName: string;
  branchId: string;
  branchStatus: string;
}

/** The branches of a whole export, in its order: the header, then lines of 12 cells, the last with its line end, no branch twice. */
export function exported(csv: string): ExportedBranch[] {
  expect(csv.startsWith(`${COLUMNS}\r\n`), csv.slice(0, 300)).toBe(true);
  expect(csv.endsWith('\r\n')).toBe(true);
  const branches: ExportedBranch[] = parse(csv, { columns: true, record_delimiter: '\r\n' });
  expect(new Set(branches.map(({ branchId }) => branchId)).size).toBe(branches.length);
  return branches;
}
