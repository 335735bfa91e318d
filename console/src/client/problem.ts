import { AnswerError } from './generated/client.ts';

interface ProblemDetails {
  /** The answer's status; 0 if there was no answer. */
  status: number;
  /** Seconds to wait before trying again, from the server. */
  retryAfter?: number | undefined;
}

/** Why an operation failed, as a sentence for the user. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly retryAfter: number | undefined;

  constructor(sentence: string, { status, retryAfter }: ProblemDetails) {
    super(sentence);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later. */
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

/** The successful answers of an operation. */
export type Succeeded<Answer extends Answered> = Extract<Answer, { status: Success }>;

/**
 * Awaits an operation of the client.
 *
 * @throws Problem if it is refused or not answered
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
        ? "The server can't be reached. It may be restarting."
        : `The server answered with ${status}, which this page does not understand. Reload the page.`,
      { status, retryAfter: retryAfter(response.headers) },
    );
  }
  // fetch rejects with this if there is no answer; an abort is not a problem.
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
