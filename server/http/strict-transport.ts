import type { FastifyInstance } from 'fastify';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** RFC 6761, 6.3: the name and all below it, however they are written. */
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

/**
 * Tells browsers that connected over TLS to always use it (RFC 6797). Only for trusted certificates: with this header,
 * browsers allow no exceptions. `localhost` is excluded, since the header would affect everything else developed there.
 */
export function registerStrictTransport(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.protocol === 'https' && !LOCALHOST.test(request.hostname)) {
      reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`);
    }
    done();
  });
}
