import type { FastifyReply, FastifyRequest } from 'fastify';
import { unauthorizedAgain } from '../accounts/authenticate.ts';
import { OtherHashKey } from '../accounts/present-hash-key.ts';
import { NotTaken } from '../storage/group-commit.ts';
import { NotWanted } from '../storage/holder.ts';
import { WorkspaceGone } from '../storage/workspace-gone.ts';
import { UnreadableValue } from '../storage/unreadable-value.ts';
import { isUnavailable, Unavailable } from '../storage/transient-errors.ts';
import { HttpError } from './http-error.ts';
import type { Outage } from './outage.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

/** A refusal: the status, the sentence of its body, and additional headers. */
interface Refusal {
  status: number;
  sentence: string;
  headers: Readonly<Record<string, string>>;
}

const FAULT: Refusal = {
  status: 500,
  sentence: 'Something went wrong on our side. Name the request id if you report it.',
  headers: {},
};

const UNAVAILABLE: Refusal = {
  status: 503,
  sentence: "The service can't answer now. Try again in a moment.",
  headers: { 'retry-after': '1' },
};

/** The maximum length of a database's error message in a request's log line. */
const MAX_REASON = 300;

export type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * The only error handler: turns every error into the body `{"error": "<sentence>"}`, including Fastify's refusals
 * before routing (`frameworkErrors`).
 *
 * @param outage informed of each request that failed because of the database
 */
export function errorHandler(outage: Outage): ErrorHandler {
  return (error, request, reply) => {
    const refusal = describeRefusal(error instanceof WorkspaceGone ? unauthorizedAgain(request) : error);
    logFault(error, refusal, request, outage);
    // A request refused before routing has not passed the hook that adds its id.
    reply.header(REQUEST_ID_HEADER, request.id);
    return reply.code(refusal.status).headers(refusal.headers).send({ error: refusal.sentence });
  };
}

/** Refusals under load or during an outage are not faults, and clients could fill the log with them. */
function logFault(error: unknown, { status }: Refusal, { log, raw }: FastifyRequest, outage: Outage): void {
  // These are the client's mistakes.
  if (status < 500 || status === 501 || status === 505 || error instanceof NotWanted) return;
  if (raw.socket.destroyed && isCutOff(error)) return;
  if (isForTheOperator(error)) log.error(error.message);
  else if (error instanceof NotTaken || error instanceof Unavailable || error instanceof HttpError)
    log.warn({ reason: error.message }, 'not taken');
  else if (isUnavailable(error)) {
    outage.failed(error);
    log.warn({ reason: String(error).slice(0, MAX_REASON) }, 'not served');
  } else log.error({ err: error }, 'request failed');
}

/** An answer that was not sent to its end. If its client has left, the line of its request says so. */
function isCutOff(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** What fails some requests alone, until the operator mends it. */
function isForTheOperator(error: unknown): error is OtherHashKey | UnreadableValue {
  return error instanceof OtherHashKey || error instanceof UnreadableValue;
}

/** Fastify's own message exposes its internals. */
export const BAD_PATH: Refusal = {
  status: 400,
  sentence: 'The path of the request is not validly percent-encoded.',
  headers: {},
};

function describeRefusal(error: unknown): Refusal {
  if (error instanceof Error && 'code' in error && error.code === 'FST_ERR_BAD_URL') return BAD_PATH;
  if (isUnavailable(error) || error instanceof NotWanted || isForTheOperator(error)) return UNAVAILABLE;
  if (error instanceof NotTaken) return { ...UNAVAILABLE, sentence: error.message };
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return FAULT;
  // Any error may have a statusCode; only a refusal's message is written for the client.
  if (error.statusCode < 400 || error.statusCode >= 600 || error.statusCode === 500) return FAULT;
  const headers = 'headers' in error ? pickStrings(error.headers) : {};
  return { status: error.statusCode, sentence: error.message, headers };
}

function pickStrings(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
