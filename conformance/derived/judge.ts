import { type Case, refusals, type ResponseExamination, type ResponseFinding } from '@branchline/contract';
import { type Answer, findHeader } from '../engine/http/client.ts';
import { describeServerError, describeUnexpectedStatus } from '../engine/status-sentences.ts';
import { findMissingMethods, isExpected, toHttpResponse } from './check-response.ts';

/** What an answer shows. A skip says why it shows nothing. */
export interface Judgement {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly skip?: string;
}

/** What there is to know of a request beside its case. */
export interface Circumstances {
  /** The path names something that the service has: it gave out the ids itself, or the caller vouches for them. */
  readonly isKnown: boolean;
  /** Its values were chosen at random, so that rules which no schema tells may refuse it. */
  readonly isRandom?: boolean;
}

const CONFLICT =
  'Answered 409: the value is valid, but conflicts with what the server holds already; --before-case can give another.';
const FORBIDDEN = 'Answered 403: the credentials do not allow it; --credential can give others.';
const NOTHING_THERE =
  'Answered 404: nothing is known that the request could be about; --path, --path-file or --before-case can name it.';
const STUB = 'Answered by a stub, which checks no credentials and keeps nothing.';

/** Whether an answer comes from a generated operation that is not written yet. */
export function isStub(answer: Answer): boolean {
  return findHeader(answer, 'branchline-stub') !== undefined;
}

/**
 * Judges an answer by what OpenAPI says of the operation; what OpenAPI leaves open, such as which of the errors a mistake is
 * answered with, becomes a warning.
 */
export function judge(
  one: Case,
  answer: Answer,
  examine: ResponseExamination,
  circumstances: Circumstances,
): Judgement {
  const { status } = answer;
  if (status === 501 && isStub(answer)) return skip(STUB);
  if (status >= 500 && !(status === 501 && one.mistake === 'method')) return fail(describeServerError(status));
  const findings = examine({ method: one.method, path: one.path, response: toHttpResponse(answer) });
  return one.mistake === undefined
    ? judgeValid(one, answer, findings, circumstances)
    : judgeMistake(one, answer, findings, circumstances);
}

function judgeValid(
  { expect, request, varies }: Case,
  { status }: Answer,
  findings: readonly ResponseFinding[],
  { isKnown, isRandom = false }: Circumstances,
): Judgement {
  if (isRandom && status >= 400) {
    const isTooLarge = TOO_LARGE.has(status);
    return sortFindings(isTooLarge ? leaveOut(findings, 'status') : findings, { isStatusOpen: true });
  }
  if (status < 400) {
    const isOpen = expect.statuses.length === 0;
    const isUndocumented = findings.some(({ about }) => about === 'status');
    if (isUndocumented && !isOpen) return fail(describeUnexpectedStatus(expect.statuses.join(' or '), status));
    return sortFindings(findings, { isStatusOpen: isOpen });
  }
  if (status === 409) return skip(CONFLICT);
  if (status === 403) return skip(FORBIDDEN);
  const isAboutPathAlone = request.body === undefined && request.query === undefined && varies.in !== 'path';
  if ((status === 404 || status === 410) && !(isKnown && isAboutPathAlone)) return skip(NOTHING_THERE);
  if (expect.statuses.length === 0) return warn(`Answered ${status}, though nothing is wrong with the request.`);
  return fail(describeUnexpectedStatus(expect.statuses.join(' or '), status));
}

function judgeMistake(
  one: Case,
  answer: Answer,
  findings: readonly ResponseFinding[],
  { isKnown }: Circumstances,
): Judgement {
  const { status } = answer;
  if (status < 300) return judgeAccepted(one, answer);
  if (status < 400) return warn(`Answered ${status}, where the request is to be refused.`);
  const missing = status === 405 ? findMissingMethods(one.expect, toHttpResponse(answer)) : [];
  const kept = isByHttp(one, status) ? leaveOut(findings, 'status') : findings;
  // What a refusal says beside its status need not be documented.
  const told = leaveOut(kept, 'superfluous body');
  const { problems, warnings } = sortFindings(told, { isStatusOpen: true });
  return {
    problems: [...missing, ...problems],
    warnings: [...warnings, ...warnOfStatus(one, status, findings, isKnown)],
  };
}

/**
 * Whether HTTP itself says what a status means here: a contract that documents no refusal of a mistake need not say it. What media
 * types and methods there are, the contract says by naming those.
 */
function isByHttp({ mistake, expect }: Case, status: number): boolean {
  if (mistake !== undefined && TOO_LARGE.has(status)) return true;
  if (mistake === undefined || !refusals[mistake].includes(status)) return false;
  return expect.statuses.length === 0 || mistake === 'media-type' || mistake === 'method';
}

/** The body, the URL, or the headers: any server has such limits. */
const TOO_LARGE = new Set([413, 414, 431]);

/** Documented, but not for this mistake. */
function warnOfStatus(
  { expect }: Case,
  status: number,
  findings: readonly ResponseFinding[],
  isKnown: boolean,
): string[] {
  const isUndocumented = findings.some(({ about }) => about === 'status');
  const isUnsure = !isKnown && (status === 404 || status === 410);
  if (isUndocumented || isUnsure || expect.statuses.length === 0 || isExpected(expect, status)) return [];
  return [`Answered ${status}, where ${expect.statuses.join(' or ')} is documented.`];
}

function judgeAccepted({ mistake, request, expect }: Case, answer: Answer): Judgement {
  const { status } = answer;
  const documented = expect.statuses.join(' or ');
  if (mistake === 'credentials') {
    if (request.authentication === 'wrong' && isStub(answer)) return skip(STUB);
    const how = request.authentication === 'wrong' ? 'with wrong credentials' : 'without credentials';
    return fail(`${describeUnexpectedStatus(documented || '401', status)} A request ${how} was let through.`);
  }
  if (mistake === 'method') return warn(`Answered ${status}, though the contract has no such operation.`);
  if (mistake === 'media-type' && documented === '')
    return warn(`Answered ${status} to a body of a media type that is not documented.`);
  return fail(`${describeUnexpectedStatus(documented || '4XX', status)} The contract does not allow the request.`);
}

function leaveOut(findings: readonly ResponseFinding[], left: ResponseFinding['about']): ResponseFinding[] {
  return findings.filter(({ about }) => about !== left);
}

/** @param isStatusOpen - an undocumented status is no fault. */
function sortFindings(findings: readonly ResponseFinding[], { isStatusOpen }: { isStatusOpen: boolean }): Judgement {
  const isOpen = ({ about }: ResponseFinding): boolean =>
    about === 'superfluous body' || about === 'ambiguous body' || (about === 'status' && isStatusOpen);
  const tell = (some: readonly ResponseFinding[]): string[] => some.map(({ sentence }) => sentence);
  return { problems: tell(findings.filter((one) => !isOpen(one))), warnings: tell(findings.filter(isOpen)) };
}

function fail(problem: string): Judgement {
  return { problems: [problem], warnings: [] };
}

function warn(warning: string): Judgement {
  return { problems: [], warnings: [warning] };
}

function skip(reason: string): Judgement {
  return { problems: [], warnings: [], skip: reason };
}
