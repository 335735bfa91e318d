import type { Branch } from './world.ts';

/** In the documented order (Branch Management HTTP API, Resources and their fields). */
export const columns: readonly string[] = [
  'branchName',
  'branchId',
  'branchCreatorId',
  'branchCreatorEmail',
  'creationDate',
  'branchStatus',
  'collaborators',
  'lastPublishedDate',
  'markedReadyForReviewDate',
  'markedReadyForReviewerUserEmail',
  'branchMergedDate',
  'branchMergedUserEmail',
];

/** How the values that the documents leave open are written. */
export interface Notation {
  date: (date: Date) => string;
  collaborators: (emails: readonly string[]) => string;
  /** Stands where a branch never came to a step. */
  never: string;
}

/** The choices of this server. */
export const usualNotation: Notation = {
  date: (date) => `${date.toISOString().slice(0, 19)}Z`,
  collaborators: (emails) => emails.join(','),
  never: '',
};

export function writeRow(branch: Branch, { date, collaborators, never }: Notation = usualNotation): string[] {
  const dateOrNever = (value?: Date): string => (value === undefined ? never : date(value));
  const [first] = branch.marked;
  return [
    branch.name,
    branch.id,
    branch.creatorId,
    branch.creatorEmail,
    date(branch.createdAt),
    branch.status,
    branch.collaborators.length === 0 ? never : collaborators(branch.collaborators),
    dateOrNever(branch.publishedAt),
    dateOrNever(first?.at),
    first?.by ?? never,
    dateOrNever(branch.mergedAt),
    branch.mergedBy ?? never,
  ];
}

export function quoteCell(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

/** RFC 4180. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return writeLines(rows, (cell) => (/[",\r\n]/.test(cell) ? quoteCell(cell) : cell), '\r\n');
}

export function writeLines(
  rows: readonly (readonly string[])[],
  write: (cell: string) => string,
  lineEnd: string,
  separator = ',',
): string {
  return rows.map((cells) => cells.map(write).join(separator) + lineEnd).join('');
}
