import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.ts';
import type { Ingest } from './inspector/ingest.ts';

const EVERY_MS = 60 * 60 * 1_000;

/** Clients keep events for at most 7 days, so nobody sends again what came this long ago. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1_000;

/** Does each hour, while the server runs, what keeps the database small. A failure is logged; the next hour tries again. */
export function scheduleMaintenance(app: FastifyInstance, ingest: Ingest, clock: Clock): void {
  const timer = setInterval(() => {
    ingest
      .forget(clock() - REMEMBERED_MS)
      .catch((error: unknown) => app.log.error({ err: error }, 'maintenance failed'));
  }, EVERY_MS);
  timer.unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}
