import type { FastifyReply, FastifyRequest } from 'fastify';
import { unauthorizedAgain } from '../accounts/authenticate.ts';
import { NotTaken } from '../storage/group-commit.ts';
import { NotWanted } from '../storage/holder.ts';
import { WorkspaceGone } from '../storage/live-workspace.ts';
import { isUnavailable, Unavailable } from '../storage/unavailable.ts';
import { HttpError } from './http-error.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

/** What a refusal looks like on the wire: the status, the one sentence of its body, and further headers. */
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

/**
 * The one error handler: makes every error, whoever throws it, the body `{"error": "<sentence>"}`. Fastify's own refusals
 * before routing (`frameworkErrors`) come here too.
 */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error instanceof WorkspaceGone ? unauthorizedAgain(request) : error);
  // 501 is a client's mistake.
  // What is refused because others are served is no fault, and a client could fill the log with it.
  if (
    error instanceof NotTaken ||
    error instanceof Unavailable ||
    (error instanceof HttpError && refusal.status >= 500)
  )
    request.log.warn({ reason: error.message }, 'not taken');
  else if (refusal.status >= 500 && refusal.status !== 501 && !(error instanceof NotWanted))
    request.log.error({ err: error }, 'request failed');
  // A request that was refused before routing has met no hook that would have named its id.
  reply.header(REQUEST_ID_HEADER, request.id);
  return reply.code(refusal.status).headers(refusal.headers).send({ error: refusal.sentence });
}

/** Fastify's own words for it name its insides. */
const BAD_PATH: Refusal = {
  status: 400,
  sentence: 'The path of the request is not validly percent-encoded.',
  headers: {},
};

function refusalOf(error: unknown): Refusal {
  if (error instanceof Error && 'code' in error && error.code === 'FST_ERR_BAD_URL') return BAD_PATH;
  if (isUnavailable(error) || error instanceof NotWanted) return UNAVAILABLE;
  if (error instanceof NotTaken) return { ...UNAVAILABLE, sentence: error.message };
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return FAULT;
  // Anything may throw a statusCode of its own; only a refusal's message was written for the client.
  if (error.statusCode < 400 || error.statusCode >= 600 || error.statusCode === 500) return FAULT;
  const headers = 'headers' in error ? stringsOf(error.headers) : {};
  return { status: error.statusCode, sentence: error.message, headers };
}

function stringsOf(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
