import type { FastifyInstance } from 'fastify';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Tells browsers that connected over TLS to always use it (RFC 6797). Only for trusted certificates: with this header,
 * browsers allow no exceptions. `localhost` is excluded, since the header would affect everything else developed there.
 */
export function registerStrictTransport(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.protocol === 'https' && request.hostname !== 'localhost') {
      reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`);
    }
    done();
  });
}
