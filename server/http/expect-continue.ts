import type { FastifyInstance } from 'fastify';

/**
 * Answers `Expect: 100-continue` (RFC 9110, 10.1.1) once the client is authenticated and
 * within its limit; Node by default would answer anybody. Register it after the hooks that check this.
 */
export function answerExpectations(app: FastifyInstance): void {
  const asking = new WeakSet();
  app.server.on('checkContinue', (request, response) => {
    asking.add(response);
    app.server.emit('request', request, response);
  });
  app.addHook('preParsing', (_request, { raw }, _payload, done) => {
    if (asking.delete(raw)) raw.writeContinue();
    done();
  });
}
