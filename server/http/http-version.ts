import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

/** RFC 9110, 15.6.6: Node reads requests that name 0.9 or 2.0 in their first line as if they were HTTP/1.1. */
export function registerVersionCheck(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isKnown = raw.httpVersion === '1.1' || raw.httpVersion === '1.0';
    done(
      isKnown ? undefined : new HttpError(505, 'This server speaks HTTP/1.1 and HTTP/1.0.', { connection: 'close' }),
    );
  });
}
