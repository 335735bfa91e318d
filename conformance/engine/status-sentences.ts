/** That an answer has another status than it must have, as a sentence; `hint` says more about it. */
export function describeUnexpectedStatus(expected: string, status: number, hint = ''): string {
  return `Expected status ${expected}, but got ${status}${hint}.`;
}

/** That a request was answered with a server error, as a sentence. */
export function describeServerError(status: number): string {
  return `Status ${status} is a server error, which no request may cause.`;
}

/** A status that was wrong. */
export interface WrongStatus {
  readonly status: number;
  /** What had to come; left out where any other status would have done. */
  readonly expected?: string;
}

const UNEXPECTED = /^Expected status (?<expected>.+?), but got (?<status>\d{3})\b/;
const SERVER_ERROR = /^Status (?<status>\d{3}) is a server error/;

/** Reads such a sentence back; `undefined` for any other. */
export function readWrongStatus(sentence: string): WrongStatus | undefined {
  const { status, expected } = (UNEXPECTED.exec(sentence) ?? SERVER_ERROR.exec(sentence))?.groups ?? {};
  if (status === undefined) return undefined;
  return { status: Number(status), ...(expected === undefined ? {} : { expected }) };
}
