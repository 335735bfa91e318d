import type { FastifyInstance } from 'fastify';
import { operationOf } from './operation.ts';

/**
 * One line for each answered request. It names the route, not the URL, and no header, so that no secret, e-mail or key can
 * get into it.
 */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        operation: operationOf(request),
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    );
    done();
  });
}
