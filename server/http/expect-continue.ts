import type { FastifyInstance } from 'fastify';

/**
 * Answers `Expect: 100-continue` (RFC 9110, 10.1.1) once nothing but the body can have the request refused: the client is authenticated
 * and within its limit, and its body of a type and length that is taken. Node by default would answer anybody. To be called before the
 * routes are registered.
 */
export function answerExpectations(app: FastifyInstance): void {
  const asking = new WeakSet();
  app.server.on('checkContinue', (request, response) => {
    asking.add(response);
    app.server.emit('request', request, response);
  });
  // A route's own hooks, which look at the headers of bodies, come after those of the whole application.
  app.addHook('onRoute', (route) => {
    route.preParsing = [
      ...[route.preParsing ?? []].flat(),
      async (_request, { raw }) => {
        if (asking.delete(raw)) raw.writeContinue();
      },
    ];
  });
}
