import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The header in which a request's id comes, if the client has one, and in which every response carries it. */
export const REQUEST_ID_HEADER = 'x-request-id';

const ACCEPTABLE = /^[\w.-]{1,64}$/;

/** The client's own id where it is short and plain enough for a log line, or else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
}
