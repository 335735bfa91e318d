import type { FastifyInstance, FastifyReply } from 'fastify';
import { findOperation } from './operation.ts';
import { onReplyEnd } from './reply-end.ts';

/**
 * Logs one line per request: answered, or broken off by either side. It contains the route, not the URL, and no headers, so that
 * no secret, e-mail or key can get into the log.
 */
export function registerRequestLog(app: FastifyInstance): void {
  // Node takes the headers of a reply whose connection has ended for sent.
  const unsent = new WeakSet<FastifyReply>();
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (raw.socket.writable === false) unsent.add(reply);
    done(null, payload);
  });
  onReplyEnd(app, (request, reply, end) => {
    const line = {
      operation: findOperation(request),
      method: request.method,
      route: request.routeOptions.url,
      // That of a reply which its client did not wait for was never sent.
      ...(reply.raw.headersSent && !unsent.has(reply) && { status: reply.statusCode }),
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (end === 'whole') request.log.info(line, 'answered');
    else request.log.warn(line, 'broken off');
  });
}
