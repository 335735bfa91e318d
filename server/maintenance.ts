import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.ts';
import { forgetMessages, forgetSomeBatches } from './inspector/forget.ts';
import type { Storage } from './storage/storage.ts';
import type { RateLimiter } from './storage/rate-limiter.ts';

const EVERY_MS = 60 * 60 * 1_000;

/** Clients keep events for at most 7 days, so nobody sends again what came this long ago. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1_000;

/** What grows. */
interface Maintained {
  storage: Storage;
  limiter: RateLimiter;
  clock: Clock;
}

/** Does each hour, while the server runs, what keeps the database small. A failure is logged; the next hour tries again. */
export function scheduleMaintenance(app: FastifyInstance, { storage, limiter, clock }: Maintained): void {
  const timer = setInterval(() => {
    Promise.all([forgetOld(storage, clock() - REMEMBERED_MS), limiter.forget()]).catch((error: unknown) =>
      app.log.error({ err: error }, 'maintenance failed'),
    );
  }, EVERY_MS);
  timer.unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}

async function forgetOld(storage: Storage, before: number): Promise<void> {
  await forgetMessages(storage, before - EVERY_MS, before);
  while (await forgetSomeBatches(storage, before));
}
