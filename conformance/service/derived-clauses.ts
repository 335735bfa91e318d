import type { Case } from '@branchline/contract';
import type { Answer } from '../engine/http/client.ts';
import { checkExport } from './export-table.ts';
import { CONFLICT, UNAUTHORIZED, checkError, checkInvalidName, checkStatus } from './documented.ts';

/** What the documents, and not only the contract, say of a case. */
export interface DocumentedMeaning {
  readonly clauses: [string, ...string[]];
  readonly check: (answer: Answer) => string[];
}

const refusedName = (clause: string): DocumentedMeaning => ({
  clauses: [clause, 'BRANCH-CREATE-400-4', 'ERROR-BODY-1'],
  check: (answer) => checkInvalidName(answer).problems,
});

/** Also a conflict says that a name is valid: a boundary value can't be made fresh for each run. */
const created: DocumentedMeaning = {
  clauses: ['BRANCH-CREATE-201-1', 'NAME-1'],
  check: (answer) => (answer.status === 409 ? checkError(answer, 409, CONFLICT) : checkStatus(answer, 201)),
};

const unauthorized = (clause: string): DocumentedMeaning => ({
  clauses: [clause, 'AUTHENTICATION-2', 'BRANCH-CREATE-401-3'],
  check: (answer) => checkError(answer, 401, UNAUTHORIZED),
});

const unexported: DocumentedMeaning = {
  clauses: ['AUTHENTICATION-1', 'SERVICE-5'],
  check: ({ status }) =>
    status < 200 || status > 299 ? [] : [`The export must be refused, but was answered with ${status}.`],
};

const exported: DocumentedMeaning = {
  clauses: ['EXPORT-SUCCESS-1', 'EXPORT-COLUMNS-1'],
  check: (answer) => checkExport(answer).problems,
};

/** By the beginning of a case's id. */
const MEANINGS: readonly [beginning: string, meaning: DocumentedMeaning][] = [
  ['createBranch/valid/', created],
  ['createBranch/body/name/minLength-at', created],
  ['createBranch/body/name/pattern-', refusedName('BRANCH-CREATE-400-1')],
  ['createBranch/body/name/type-', refusedName('BRANCH-CREATE-400-3')],
  ['createBranch/body/name/required', refusedName('BRANCH-CREATE-400-3')],
  ['createBranch/body/type-', refusedName('BRANCH-CREATE-400-3')],
  ['createBranch/body/malformed', refusedName('BRANCH-CREATE-400-3')],
  ['createBranch/authentication/missing', unauthorized('BRANCH-CREATE-401-1')],
  ['createBranch/authentication/wrong', unauthorized('BRANCH-CREATE-401-2')],
  ['exportBranchStats/valid/plain', exported],
  ['exportBranchStats/authentication/', unexported],
];

/** `undefined` for a case that only the contract demands. */
export function findMeaning({ id, level }: Case): DocumentedMeaning | undefined {
  if (level === 'observed') return undefined;
  return MEANINGS.find(([beginning]) => id.startsWith(beginning))?.[1];
}

const CLAUSES: Record<string, string> = {
  createBranch: 'PROFILE-CONTRACT-CREATE',
  exportBranchStats: 'PROFILE-CONTRACT-EXPORT',
  exportBranchStatsFromSamplePath: 'PROFILE-EXPORT-6',
  ingestBatch: 'PROFILE-INGEST-5',
  listObservedEvents: 'PROFILE-REPORTS-1',
  listObservedShapes: 'PROFILE-REPORTS-1',
  listTypeConflicts: 'PROFILE-REPORTS-1',
  listEventSummaries: 'PROFILE-REPORTS-1',
  listEventProperties: 'PROFILE-REPORTS-1',
  getEventVolume: 'PROFILE-REPORTS-1',
  listIssues: 'PROFILE-REPORTS-1',
};

/** The clause of the profile that an operation's answers belong to. */
export function findOperationClause(operationId: string): string {
  return CLAUSES[operationId] ?? 'PROFILE-MANAGE-1';
}
