import type { FastifyInstance } from 'fastify';

/**
 * A client that asks before it sends a body (`Expect: 100-continue`, RFC 9110, 10.1.1) is told to go on once it is known who it
 * is and that it is within its limit; Node by itself would tell anybody. To be registered after the hooks that find that out.
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
