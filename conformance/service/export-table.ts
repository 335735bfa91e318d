import type { Answer } from '../engine/http/client.ts';
import { describeUnexpectedStatus } from '../engine/status-sentences.ts';
import { NoCsv, readCsvRecords } from './csv.ts';
import { truncate, explainStatus, readText } from './documented.ts';

/** The columns of the export, in order (Branch Management HTTP API, Branch statistics row). */
export const COLUMNS = [
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
] as const;
export type Column = (typeof COLUMNS)[number];
export type Row = Readonly<Record<Column, string>>;

const MAX_PROBLEMS = 10;

/** An export that could be read. */
export class ExportTable {
  readonly answer: Answer;
  readonly text: string;
  /** How many rows there are. */
  readonly length: number;

  constructor(answer: Answer, text: string, length: number) {
    this.answer = answer;
    this.text = text;
    this.length = length;
  }

  /** Reads them anew each time: an export may be too large to be kept in pieces. */
  *rows(): Generator<Row> {
    for (const record of readCsvRecords(this.text).drop(1)) yield toRow(record);
  }
}

/** The answer to an export that must succeed. */
export function checkExport(answer: Answer): { problems: string[]; table: ExportTable } {
  const text = readText(answer);
  if (answer.status < 200 || answer.status > 299) {
    const problem = describeUnexpectedStatus('2XX', answer.status, explainStatus(answer));
    return { problems: [problem], table: new ExportTable(answer, text, 0) };
  }
  const { problems, records } = checkTable(text);
  return { problems, table: new ExportTable(answer, text, records - 1) };
}

/** The first problems of the table, and how many records were read. */
function checkTable(text: string): { problems: string[]; records: number } {
  const problems: string[] = [];
  let records = 0;
  try {
    for (const record of readCsvRecords(text)) {
      if (records === 0) problems.push(...checkHeader(record));
      else if (record.length !== COLUMNS.length) problems.push(describeLength(record, records));
      records += 1;
      if (problems.length >= MAX_PROBLEMS || (records === 1 && problems.length > 0)) return { problems, records };
    }
  } catch (error) {
    if (!(error instanceof NoCsv)) throw error;
    problems.push(error.message);
  }
  if (records === 0 && problems.length === 0) {
    problems.push('The export is empty; it must begin with the names of the columns.');
  }
  return { problems, records };
}

function checkHeader(head: string[]): string[] {
  if (head.length === COLUMNS.length && COLUMNS.every((column, index) => head[index] === column)) return [];
  return [
    `The columns must be ${COLUMNS.join(', ')}, in this order, but the first line has ${truncate(head.join(', '))}.`,
  ];
}

function describeLength(record: string[], row: number): string {
  return `Row ${row} of the export has ${record.length} cells instead of ${COLUMNS.length}: ${truncate(record.join(' | '))}.`;
}

function toRow(record: string[]): Row {
  const cell = (column: Column): string => record[COLUMNS.indexOf(column)] ?? '';
  return {
    branchName: cell('branchName'),
    branchId: cell('branchId'),
    branchCreatorId: cell('branchCreatorId'),
    branchCreatorEmail: cell('branchCreatorEmail'),
    creationDate: cell('creationDate'),
    branchStatus: cell('branchStatus'),
    collaborators: cell('collaborators'),
    lastPublishedDate: cell('lastPublishedDate'),
    markedReadyForReviewDate: cell('markedReadyForReviewDate'),
    markedReadyForReviewerUserEmail: cell('markedReadyForReviewerUserEmail'),
    branchMergedDate: cell('branchMergedDate'),
    branchMergedUserEmail: cell('branchMergedUserEmail'),
  };
}
