import type { FastifyInstance } from 'fastify';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Tells browsers that came over TLS to come no other way (RFC 6797). Only for a certificate that they trust: behind this header
 * no exception can be made for another. `localhost` is left out, since the header would hold for all else that is developed there.
 */
export function registerStrictTransport(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.protocol === 'https' && request.hostname !== 'localhost') {
      reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`);
    }
    done();
  });
}
