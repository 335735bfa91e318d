import type { Answer } from '../engine/http/client.ts';
import type { Branch } from './seeding.ts';

export const CONFLICT = 'Branch with this name already exists';
export const UNAUTHORIZED = 'Unauthorized';
const INVALID_NAME = /^Invalid branch name, try "([^"]*)" instead$/;

export function textOf(answer: Answer): string {
  return answer.body.toString('utf8');
}

/** Of a JSON text; that one may begin with a byte order mark, readers decide. */
function parsed(text: string): unknown {
  return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

export function header(answer: Answer, name: string): string | undefined {
  return answer.headers.find(([one]) => one === name)?.[1];
}

/** The body as a JSON object, or why it is none. */
export function objectOf(answer: Answer): { fields: Record<string, unknown> } | { problem: string } {
  let value: unknown;
  try {
    value = parsed(textOf(answer));
  } catch {
    return { problem: `The body must be a JSON object, but is no JSON: ${excerpt(textOf(answer))}.` };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { fields: { ...value } };
  return { problem: `The body must be a JSON object, but is ${excerpt(textOf(answer))}.` };
}

export function statusProblem(answer: Answer, expected: number): string[] {
  if (answer.status === expected) return [];
  return [`Expected status ${expected}, but got ${answer.status}${hintAt(answer)}.`];
}

/** What may be behind a status that nothing documented has. */
export function hintAt(answer: Answer): string {
  if (answer.status === 404) return '; if nothing else is found there either, --base-url or --workspace is wrong';
  const location = header(answer, 'location');
  if (location === undefined || answer.status < 300 || answer.status > 399) return '';
  return `, which leads to ${excerpt(location)}: redirections are not followed`;
}

/** A branch, as Create Branch answers. */
export interface CreatedBranch extends Branch {
  readonly branchUrl: string;
}

/** The answer to a creation that must succeed. */
export function judgeCreated(answer: Answer, name: string): { problems: string[]; branch: CreatedBranch } {
  const problems = statusProblem(answer, 201);
  const nothing = { branchId: '', branchName: '', branchUrl: '' };
  if (problems.length > 0) return { problems, branch: nothing };
  const body = objectOf(answer);
  if ('problem' in body) return { problems: [body.problem], branch: nothing };
  const { branchId, branchName, branchUrl } = body.fields;
  for (const [field, value] of Object.entries({ branchId, branchName, branchUrl })) {
    if (typeof value !== 'string') problems.push(`"${field}" must be a string, but is ${shown(value)}.`);
  }
  if (typeof branchName === 'string' && branchName !== name) {
    problems.push(
      `"branchName" must be the name that was asked for, ${JSON.stringify(name)}, but is ${shown(branchName)}.`,
    );
  }
  if (branchId === '') problems.push('"branchId" must be the id of the new branch, but is empty.');
  return {
    problems,
    branch: { branchId: textIn(branchId), branchName: textIn(branchName), branchUrl: textIn(branchUrl) },
  };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** An error of Create Branch: its status, and the field `error`. */
export function judgeError(answer: Answer, status: number, sentence?: string): string[] {
  const problems = statusProblem(answer, status);
  const body = objectOf(answer);
  if ('problem' in body) return [...problems, body.problem];
  const error = body.fields['error'];
  if (typeof error !== 'string') return [...problems, `"error" must be a string, but is ${shown(error)}.`];
  if (sentence === undefined || error === sentence) return problems;
  return [...problems, `"error" must be ${JSON.stringify(sentence)}, but is ${shown(error)}.`];
}

/** The answer to a name or a body that must be refused. */
export function judgeInvalidName(answer: Answer): { problems: string[]; suggestion: string } {
  const problems = judgeError(answer, 400);
  if (problems.length > 0) return { problems, suggestion: '' };
  const body = objectOf(answer);
  const error = 'fields' in body ? String(body.fields['error']) : '';
  const suggestion = INVALID_NAME.exec(error)?.[1];
  if (suggestion === undefined) {
    const form = '"error" must have the form `Invalid branch name, try "<suggested_name>" instead`';
    return { problems: [`${form}, but is ${shown(error)}.`], suggestion: '' };
  }
  if (!/^[a-z0-9-]+$/.test(suggestion)) {
    return { problems: [`The suggested name ${JSON.stringify(suggestion)} is itself no valid name.`], suggestion };
  }
  return { problems: [], suggestion };
}

/** At most so much of what a service sent stands in a sentence. */
export function excerpt(text: string | undefined): string {
  if (text === undefined) return 'missing';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text === '' ? 'empty' : text;
}

/** A JSON value, as a sentence shows it. */
function shown(value: unknown): string {
  try {
    return excerpt(JSON.stringify(value));
  } catch {
    return 'nested too deep to be shown';
  }
}
