import { AnswerError } from './generated/client.ts';

interface ProblemDetails {
  /** Of the answer; 0 where none came. */
  status: number;
  /** Seconds until the server wants to be asked again. */
  retryAfter?: number | undefined;
}

/** Why an operation did not do what it was asked for, in a sentence for whoever asked. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly retryAfter: number | undefined;

  constructor(sentence: string, { status, retryAfter }: ProblemDetails) {
    super(sentence);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may do better after a while. */
  get mayPass(): boolean {
    return [0, 429, 502, 503, 504].includes(this.status);
  }
}

interface Answered {
  status: number;
  headers: Headers;
  body: unknown;
}

type Success = 200 | 201 | 204;

/** The answers of an operation that are no errors. */
export type Succeeded<Answer extends Answered> = Extract<Answer, { status: Success }>;

/**
 * Waits for an operation of the client.
 *
 * @throws Problem when it was refused or not answered
 */
export async function succeed<Answer extends Answered>(call: Promise<Answer>): Promise<Succeeded<Answer>> {
  const answer = await call.catch((error: unknown) => {
    throw findProblem(error);
  });
  if (hasSucceeded(answer)) return answer;
  throw refusal(answer);
}

function hasSucceeded<Answer extends Answered>(answer: Answer): answer is Succeeded<Answer> {
  return answer.status >= 200 && answer.status < 300;
}

const UNREACHABLE = "The server can't be reached. Check your connection.";
const SESSION_ENDED = 'Your session has ended. Sign in again; what you typed is kept.';

function findProblem(error: unknown): unknown {
  if (error instanceof AnswerError) {
    const { status, response } = error;
    return new Problem(
      status >= 502 && status <= 504
        ? 'The server is not there now, perhaps because it restarts.'
        : `The server answered with ${status}, which this page does not understand. Reload the page.`,
      { status, retryAfter: retryAfter(response.headers) },
    );
  }
  // What fetch rejects with where no answer came; an abort is nobody's problem.
  return error instanceof TypeError ? new Problem(UNREACHABLE, { status: 0 }) : error;
}

function refusal({ status, headers, body }: Answered): Problem {
  return new Problem(chooseSentence(status, headers, body), { status, retryAfter: retryAfter(headers) });
}

function chooseSentence(status: number, headers: Headers, body: unknown): string {
  if (status === 401) return SESSION_ENDED;
  const sentence =
    typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : `Error ${status}.`;
  const requestId = headers.get('x-request-id');
  return status === 500 && requestId !== null ? `${sentence} (${requestId})` : sentence;
}

function retryAfter(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
