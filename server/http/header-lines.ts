import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

/** What takes 16 KiB on the way takes ten times that in memory where it is as many lines as fit, on each connection that sends it. */
const MOST_LINES = 200;

/**
 * Refuses requests of more header lines than anybody needs. Node keeps no more of them, whether all have come or not, and leaves out the
 * rest without a word.
 */
export function boundHeaderLines(app: FastifyInstance): void {
  app.server.maxHeadersCount = MOST_LINES;
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    // Names and values.
    done(raw.rawHeaders.length > 2 * MOST_LINES ? tooMany() : undefined);
  });
}

/** What was left out might have said how long the body is. */
function tooMany(): HttpError {
  return new HttpError(431, `The request has more than ${MOST_LINES} header lines.`, { connection: 'close' });
}
