import type { FastifyInstance } from 'fastify';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** Lets pages of any origin ask for anything, and read it (Fetch, CORS protocol). */
export function allowOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    const { origin } = headers;
    if (origin === undefined) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'origin',
    });
    const asked = headers['access-control-request-method'];
    if (method !== 'OPTIONS' || asked === undefined) return;
    reply.headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
    });
    return reply.code(204).send();
  });
  app.addHook('onSend', async ({ headers }, reply) => {
    if (headers.origin === undefined) return;
    reply.header('access-control-expose-headers', Object.keys(reply.getHeaders()).join(', '));
  });
}
