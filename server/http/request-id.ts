import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The header of the request's id, optional in requests and present in every response. */
export const REQUEST_ID_HEADER = 'x-request-id';

const ACCEPTABLE = /^[\w.-]{1,64}$/;

/** Returns the client's id if it is short and plain enough for a log line, otherwise a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
}
