import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.ts';
import type { Ingest } from './inspector/ingest.ts';
import type { RateLimiter } from './storage/rate-limiter.ts';

const EVERY_MS = 60 * 60 * 1_000;

/** Clients keep events for at most 7 days, so nobody sends again what came this long ago. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1_000;

/** What grows. */
interface Maintained {
  ingest: Ingest;
  limiter: RateLimiter;
  clock: Clock;
}

/** Does each hour, while the server runs, what keeps the database small. A failure is logged; the next hour tries again. */
export function scheduleMaintenance(app: FastifyInstance, { ingest, limiter, clock }: Maintained): void {
  const timer = setInterval(() => {
    Promise.all([ingest.forget(clock() - REMEMBERED_MS), limiter.forget()]).catch((error: unknown) =>
      app.log.error({ err: error }, 'maintenance failed'),
    );
  }, EVERY_MS);
  timer.unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}
