import { type Answer, findHeader } from '../engine/http/client.ts';
import { describeUnexpectedStatus } from '../engine/status-sentences.ts';
import type { Branch } from './seeding.ts';

export const CONFLICT = 'Branch with this name already exists';
export const UNAUTHORIZED = 'Unauthorized';
const INVALID_NAME = /^Invalid branch name, try "([^"]*)" instead$/;

export function readText(answer: Answer): string {
  return answer.body.toString('utf8');
}

/** The body as a JSON object, or why it is none. */
export function parseObject(answer: Answer): { fields: Record<string, unknown> } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(readText(answer));
  } catch {
    if (readText(answer).startsWith('\uFEFF'))
      return {
        problem:
          'The body must be JSON, but begins with a byte order mark (RFC 8259, 8.1: “Implementations MUST NOT add a byte order mark”).',
      };
    return { problem: `The body must be a JSON object, but is no JSON: ${truncate(readText(answer))}.` };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { fields: { ...value } };
  return { problem: `The body must be a JSON object, but is ${truncate(readText(answer))}.` };
}

export function checkStatus(answer: Answer, expected: number): string[] {
  if (answer.status === expected) return [];
  return [describeUnexpectedStatus(String(expected), answer.status, explainStatus(answer))];
}

/** A hint at the cause of an undocumented status. */
export function explainStatus(answer: Answer): string {
  if (answer.status === 404) return '; if nothing else is found there either, --base-url or --workspace is wrong';
  const location = findHeader(answer, 'location');
  if (location === undefined || answer.status < 300 || answer.status > 399) return '';
  return `, which leads to ${truncate(location)}: redirections to other origins are not followed`;
}

/** A branch, as Create Branch answers. */
export interface CreatedBranch extends Branch {
  readonly branchUrl: string;
}

/** The answer to a creation that must succeed. */
export function checkCreated(answer: Answer, name: string): { problems: string[]; branch: CreatedBranch } {
  const problems = checkStatus(answer, 201);
  const nothing = { branchId: '', branchName: '', branchUrl: '' };
  if (problems.length > 0) return { problems, branch: nothing };
  const body = parseObject(answer);
  if ('problem' in body) return { problems: [body.problem], branch: nothing };
  const { branchId, branchName, branchUrl } = body.fields;
  for (const [field, value] of Object.entries({ branchId, branchName, branchUrl })) {
    if (typeof value !== 'string') problems.push(`"${field}" must be a string, but is ${showJson(value)}.`);
  }
  if (typeof branchName === 'string' && branchName !== name) {
    problems.push(
      `"branchName" must be the name that was asked for, ${JSON.stringify(name)}, but is ${showJson(branchName)}.`,
    );
  }
  if (branchId === '') problems.push('"branchId" must be the id of the new branch, but is empty.');
  return {
    problems,
    branch: { branchId: orEmpty(branchId), branchName: orEmpty(branchName), branchUrl: orEmpty(branchUrl) },
  };
}

function orEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The answer to a creation that need not succeed, but did: its fields, and the name where the body leaves no doubt of it. */
export function checkCreatedBy(body: { name: unknown } | string | Uint8Array, answer: Answer): string[] {
  const parsed = parseObject(answer);
  const answered = 'fields' in parsed ? parsed.fields['branchName'] : undefined;
  const requested = typeof body === 'object' && 'name' in body ? body.name : answered;
  return checkCreated(answer, String(requested)).problems;
}

/** An error of Create Branch: its status, and the field `error`. */
export function checkError(answer: Answer, status: number, sentence?: string): string[] {
  const problems = checkStatus(answer, status);
  const body = parseObject(answer);
  if ('problem' in body) return [...problems, body.problem];
  const { error, ...others } = body.fields;
  if (typeof error !== 'string') return [...problems, `"error" must be a string, but is ${showJson(error)}.`];
  problems.push(...checkErrorForm(answer, Object.keys(others)));
  if (sentence === undefined || error === sentence) return problems;
  return [...problems, `"error" must be ${JSON.stringify(sentence)}, but is ${showJson(error)}.`];
}

/** Documented are JSON objects with one field. */
function checkErrorForm(answer: Answer, otherFields: readonly string[]): string[] {
  const type = findHeader(answer, 'content-type');
  return [
    ...(otherFields.length === 0
      ? []
      : [`"error" must be the only field, but there is ${otherFields.join(', ')} too.`]),
    ...(type !== undefined && /^[\w.-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)
      ? []
      : [`The body must say that it is JSON, but its media type is ${truncate(type)}.`]),
  ];
}

/** The answer to a name or a body that must be refused. */
export function checkInvalidName(answer: Answer): { problems: string[]; suggestion: string } {
  const problems = checkError(answer, 400);
  if (problems.length > 0) return { problems, suggestion: '' };
  const body = parseObject(answer);
  const error = 'fields' in body ? String(body.fields['error']) : '';
  const suggestion = INVALID_NAME.exec(error)?.[1];
  if (suggestion === undefined) {
    const form = '"error" must have the form `Invalid branch name, try "<suggested_name>" instead`';
    return { problems: [`${form}, but is ${showJson(error)}.`], suggestion: '' };
  }
  if (!/^[a-z0-9-]+$/.test(suggestion)) {
    return { problems: [`The suggested name ${JSON.stringify(suggestion)} is itself no valid name.`], suggestion };
  }
  return { problems: [], suggestion };
}

/** At most so much of what a service sent stands in a sentence. */
export function truncate(text: string | undefined): string {
  if (text === undefined) return 'missing';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text === '' ? 'empty' : text;
}

/** A JSON value, as a sentence shows it. */
function showJson(value: unknown): string {
  try {
    return truncate(JSON.stringify(value));
  } catch {
    return 'nested too deep to be shown';
  }
}
