import { handOverBodiesUnread, takeTurn } from '@branchline/runtime';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Crowding } from './crowding.ts';
import { getOnly } from './get-only.ts';
import { letConnectionsGiveWay } from './giving-way.ts';
import { HttpError } from './http-error.ts';
import { buildListener, registerRequestChecks } from './listener.ts';
import type { Metrics } from './metrics.ts';
import { SpacedRuns } from './spaced-runs.ts';

/** More than any metrics collector needs. */
export const MAX_METRICS_CONNECTIONS = 100;

const PATH = '/metrics';

/** From one collection to the next, in milliseconds. */
const SPACING_MS = 100;

/** Serves `/metrics` on a separate port, in Prometheus' text format, for operators rather than clients. */
export async function buildMetricsListener(metrics: Metrics, logger: FastifyBaseLogger): Promise<FastifyInstance> {
  const app = await buildListener({ logger, maxConnections: MAX_METRICS_CONNECTIONS, closes: 'all' });
  // They are no clients', which others count.
  const crowding = new Crowding({ logger, maxConnections: MAX_METRICS_CONNECTIONS, counted: () => {} });
  letConnectionsGiveWay(app.server, { maxConnections: MAX_METRICS_CONNECTIONS, crowding });
  handOverBodiesUnread(app);
  registerRequestChecks(app);
  app.setNotFoundHandler(() => {
    throw new HttpError(404, 'There is nothing but /metrics here.');
  });
  // To collect them takes a millisecond: all who ask meanwhile get the same.
  const collections = new SpacedRuns({
    work: () => metrics.registry.metrics(),
    spacingMs: SPACING_MS,
  });
  getOnly(app, PATH, { logLevel: 'warn' }, async (_request, reply) => {
    const text = await collections.run();
    // All who waited for it go on at once.
    await takeTurn(PATH);
    return reply.type(metrics.registry.contentType).send(text);
  });
  return app;
}
