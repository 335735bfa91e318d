import { clausesById } from '../../../clauses.ts';
import type { CaseResult, Exchange } from '../../result.ts';
import type { Cause } from '../causes.ts';
import { buildCurl } from '../curl.ts';
import { formatCaseCount } from '../standing.ts';
import { MARKS } from './marks.ts';
import { type Paint, countScreenLines, indent, limit, listSome, printable } from './lines.ts';

const TOLD_IN_FULL = 3;
/** What is told in full leaves the rest of two screens to what else there is to say. */
const ROOM_IN_FULL = 45;
const NAMED = 10;
const PROBLEMS = 3;
const CASES = 3;
const CLAUSES = 6;
/** A command that is longer would fill the screen. */
const MAX_COMMAND = 1_000;

/** The causes of what fails the run: the first few in full, as many as there is room for, the others by a line each. */
export function summarizeCauses(causes: readonly Cause[], paint: Paint): string[] {
  const full = takeRoom(causes.slice(0, TOLD_IN_FULL).map((cause) => summarizeCause(cause, paint)));
  const others = causes.slice(full.length);
  const named = others.map((cause) => paint('red', indent([`${MARKS[cause.standing]} ${nameCause(cause)}`])[0] ?? ''));
  return [...headLine(causes, paint), ...full.flat(), ...limit(named, NAMED), ...(named.length === 0 ? [] : [''])];
}

/** The first, and those after it that there is room for. */
function takeRoom(told: readonly string[][]): string[][] {
  let lines = 0;
  return told.filter((some, index) => {
    lines += countScreenLines(some);
    return index === 0 || lines <= ROOM_IN_FULL;
  });
}

/** The same, with every failure in full. */
export function tellCauses(causes: readonly Cause[], paint: Paint): string[] {
  const told = causes.flatMap((cause) => [
    ...(cause.results.length === 1 ? [] : [paint(['red', 'bold'], `  ${nameCause(cause)}`), '']),
    ...cause.results.flatMap((result) => tellFailure(result, MARKS[cause.standing], paint)),
  ]);
  return [...headLine(causes, paint), ...told];
}

/** What the commands of failures need. */
export function tellNotes(causes: readonly Cause[]): string[] {
  const last = causes.flatMap(({ results }) => results.flatMap(({ exchanges }) => exchanges.at(-1) ?? []));
  const notes = new Set(last.flatMap((exchange) => buildCurl(exchange)?.notes ?? []));
  return notes.size === 0 ? [] : ['To send a request again:', ...indent([...notes]), ''];
}

function headLine(causes: readonly Cause[], paint: Paint): string[] {
  const failures = causes.reduce((sum, { results }) => sum + results.length, 0);
  if (failures === causes.length) return [];
  const count = causes.length === 1 ? '1 cause' : `${causes.length} causes`;
  return [paint('bold', `${failures} failures have ${count}`), ''];
}

/** On one line: how many cases of which operation show what. */
function nameCause(cause: Cause): string {
  const { operation, problem, results, example } = cause;
  if (results.length === 1) return `${example.id}: ${problem}`;
  return `${operation === undefined ? '' : `${operation}, `}${formatCaseCount(results.length)}: ${problem}`;
}

function summarizeCause(cause: Cause, paint: Paint): string[] {
  const { results, clauses, example, standing } = cause;
  const mark = MARKS[standing];
  if (results.length === 1) return tellFailure(example, mark, paint, { isBrief: true });
  const ids = results.map(({ id }) => id);
  return [
    paint('red', indent([`${mark} ${nameCause(cause)}`])[0] ?? ''),
    ...indent([listSome(ids, CASES), ...(clauses.length === 0 ? [] : [`Clauses: ${listSome(clauses, CLAUSES)}`])], 4),
    ...indent([`For example ${example.id}: ${example.title}`], 4),
    ...tellEvidence(example, { isBrief: true }),
    '',
  ];
}

interface Length {
  readonly isBrief?: boolean;
}

function tellFailure(result: CaseResult, mark: string, paint: Paint, { isBrief = false }: Length = {}): string[] {
  const { id, title, clauses } = result;
  return [
    paint('red', `  ${mark} ${id}: ${title}`),
    ...indent(clauses.flatMap(describeSource), 4),
    ...tellEvidence(result, { isBrief }),
    '',
  ];
}

function describeSource(id: string): string[] {
  const clause = clausesById.get(id);
  return clause === undefined ? [] : [`${id}: “${clause.sentence}”`, `  ${clause.document}, ${clause.section}`];
}

/** What was wrong, and the last exchange, which is the one that ended the case. */
function tellEvidence({ reason, problems = [], exchanges }: CaseResult, { isBrief = false }: Length): string[] {
  const sentences = indent([...(reason === undefined ? [] : [reason]), ...problems], 4);
  const last = exchanges.at(-1);
  return [
    ...(isBrief ? limit(sentences, PROBLEMS) : sentences),
    ...(last === undefined ? [] : tellExchange(last, isBrief)),
  ];
}

function tellExchange(exchange: Exchange, isBrief: boolean): string[] {
  const { request, response, problem } = exchange;
  const answer = response === undefined ? (problem ?? '') : `${response.status} ${response.body}`;
  const { command = '' } = buildCurl(exchange) ?? {};
  const isTooLong = isBrief && command.length > MAX_COMMAND;
  return [
    ...indent([`${request.method} ${request.url}`, `→ ${answer.replaceAll(/\s+/g, ' ')}`], 4),
    ...(isTooLong ? indent([`The command that sends it again has ${command.length} characters: --verbose.`], 4) : []),
    // Not indented, so that it can be copied.
    ...(command === '' || isTooLong ? [] : ['', printable(command)]),
  ];
}
