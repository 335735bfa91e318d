import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { getOnly } from './get-only.ts';
import { HttpError } from './http-error.ts';
import { buildListener, registerRequestChecks } from './listener.ts';
import type { Metrics } from './metrics.ts';

/** More than those who collect metrics ever need. */
const MAX_CONNECTIONS = 100;

/** A port of its own for `/metrics`, in Prometheus' text format: what it says is the operator's, not the clients'. */
export async function buildMetricsListener(metrics: Metrics, logger: FastifyBaseLogger): Promise<FastifyInstance> {
  const app = await buildListener({ logger, maxConnections: MAX_CONNECTIONS, closes: 'all' });
  registerRequestChecks(app);
  app.setNotFoundHandler(() => {
    throw new HttpError(404, 'There is nothing but /metrics here.');
  });
  getOnly(app, '/metrics', { logLevel: 'warn' }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  return app;
}
