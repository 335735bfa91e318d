import type { CaseResult, Level, Report } from '../result.ts';
import { type WrongStatus, readWrongStatus } from '../status-sentences.ts';
import { buildCurl } from './curl.ts';
import { LEVELS, STANDING_WORDS, type Standing, classifyResult } from './standing.ts';

/** Failures that most likely have one cause: the same problem, in answers of the same operation. */
export interface Cause {
  /** What becomes of the failures: a cause never mixes those that count with others. */
  readonly standing: Standing;
  /** What is wrong, as a sentence. */
  readonly problem: string;
  /** The operation whose answer showed it; left out where a failure shows no exchange. */
  readonly operation?: string;
  /** The failed cases, by their ids. */
  readonly results: readonly CaseResult[];
  /** The clauses that they are about, by their ids. */
  readonly clauses: readonly string[];
  /** The one that is the easiest to repeat. */
  readonly example: CaseResult;
}

/**
 * Each result that failed, or that a fault of the test ended, in the one group of its cause: first what counts, then the
 * largest. The order of the results makes no difference.
 */
export function groupByCause(report: Pick<Report, 'results' | 'profile'>): Cause[] {
  const failures = report.results.filter(({ state }) => state === 'fail' || state === 'error');
  const groups = Map.groupBy(failures, (result) =>
    JSON.stringify([classifyResult(result, report), ...readKey(result)]),
  );
  const causes = [...groups].map(([key, results]) => ({ key, cause: toCause(results, report) }));
  return causes
    .toSorted((a, b) => compare(rank(a.cause), rank(b.cause)) || compare([a.key], [b.key]))
    .map(({ cause }) => cause);
}

/** What makes failures alike: the operation, and what is wrong without what differs from case to case. */
function readKey(result: CaseResult): [operation: string, problem: string] {
  const problem = findProblem(result);
  const wrong = readWrongStatus(problem);
  return [findOperation(result) ?? '', wrong === undefined ? generalize(problem) : generalizeStatus(wrong)];
}

function toCause(some: readonly CaseResult[], report: Pick<Report, 'profile'>): Cause {
  const results = some.toSorted((a, b) => compare([a.id], [b.id]));
  const [example = results[0]] = results.toSorted((a, b) => compare(effort(a), effort(b)));
  if (example === undefined) throw new Error('A group has at least one result.');
  const operation = findOperation(example);
  return {
    standing: classifyResult(example, report),
    problem: describe(results, findProblem(example)),
    ...(operation === undefined ? {} : { operation }),
    results,
    clauses: [...new Set(results.flatMap(({ clauses }) => clauses))].toSorted(),
    example,
  };
}

function findProblem({ problems = [], reason = '' }: CaseResult): string {
  return problems[0] ?? reason;
}

/** The last exchange is the one that ended the case. */
function findOperation({ exchanges }: CaseResult): string | undefined {
  return exchanges.at(-1)?.operation;
}

/** Statuses by which a service says something about a request's content. All others are given for a reason that has little to do with it. */
const ABOUT_CONTENT = new Set([400, 409, 422]);

function isAboutContent(status: number): boolean {
  return ABOUT_CONTENT.has(status) || (status >= 200 && status <= 299);
}

/** A server error, or a route that is not there, is one cause, whatever was expected instead. */
function generalizeStatus({ status, expected = '' }: WrongStatus): string {
  return isAboutContent(status) ? `${status} instead of ${expected}` : String(status);
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const FIELD = /^"[A-Za-z_]+"$/;
const VALUE = /https?:\/\/\S+|\S*\d\S*/g;
const STATUS = /^[1-5]\d\d[.,;]?$/;

/** A problem without the values, names and ids that differ from case to case. Fields and statuses stay. */
function generalize(problem: string): string {
  return problem
    .replace(/^For .*? (?=came \()/s, 'For … ')
    .replace(/(but is no JSON|but is|failed on)[: ].*$/s, (rest, said: string) =>
      rest.endsWith('missing.') ? rest : said,
    )
    .replaceAll(QUOTED, (text) => (FIELD.test(text) ? text : '"…"'))
    .replaceAll(VALUE, (word) => (STATUS.test(word) ? word : '…'));
}

function describe(results: readonly CaseResult[], problem: string): string {
  const wrong = readWrongStatus(problem);
  if (wrong === undefined || isAboutContent(wrong.status) || results.length === 1) return problem;
  const expected = results.flatMap((result) => readWrongStatus(findProblem(result))?.expected?.split(' or ') ?? []);
  const all = [...new Set(expected)].toSorted();
  return all.length === 0 ? problem : `Status ${wrong.status}, where ${ALTERNATIVES.format(all)} was expected.`;
}

const ALTERNATIVES = new Intl.ListFormat('en', { type: 'disjunction' });

type Rank = readonly (string | number)[];

const STANDINGS = Object.keys(STANDING_WORDS);

function rank({ standing, results }: Cause): Rank {
  return [STANDINGS.indexOf(standing), -results.length];
}

/** How hard it is to see a failure again: that of a documented clause, by one short request, is the easiest. */
function effort({ id, level, exchanges }: CaseResult): Rank {
  const last = exchanges.at(-1);
  const curl = last === undefined ? undefined : buildCurl(last);
  const length = curl === undefined ? Infinity : curl.command.length;
  return [levelRank(level), curl?.isOther === true ? 1 : 0, length, exchanges.length, id];
}

function levelRank(level: Level): number {
  return LEVELS.indexOf(level);
}

/** By the first part in which they differ. */
function compare(one: Rank, other: Rank): number {
  const index = one.findIndex((part, at) => part !== other[at]);
  const [a, b] = [one[index], other[index]];
  return a === undefined || b === undefined ? 0 : a < b ? -1 : 1;
}
