import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { contract, errorReply } from './generated/wiring.ts';
import { handlers } from './handlers.ts';
import { securityHandlers } from './security.ts';

/** Puts the server together. It does not listen yet, so tests can use it by `app.inject`. */
export async function buildApp(): Promise<FastifyInstance> {
  const app = fastify({
    logger: { level: process.env['NODE_ENV'] === 'production' ? 'info' : 'warn' },
    frameworkErrors: answerError,
    // As long as the headers that Node takes: what the contract says of a parameter bounds it.
    routerOptions: { maxParamLength: 16_384 },
  });
  app.setErrorHandler(answerError);
  await app.register(contract, { handlers, securityHandlers });
  return app;
}

/** Every error is answered as the contract documents it; what went wrong inside stays in the log. */
function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const status = error.statusCode ?? 500;
  if (status >= 500) request.log.error(error);
  const sentence = status >= 500 && status !== 501 ? 'Something went wrong on our side.' : error.message;
  const { type, headers, body } = errorReply(request, status, sentence);
  reply.code(status).type(type).headers(headers).send(body);
}
