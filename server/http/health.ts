import { takeTurn } from '@branchline/runtime';
import type { FastifyInstance } from 'fastify';
import { getOnly } from './get-only.ts';
import { ReadinessLog } from './readiness-log.ts';
import { SpacedRuns } from './spaced-runs.ts';
import type { Storage } from '../storage/storage.ts';

/** The paths of the health checks. */
export const HEALTH_PATHS = ['/livez', '/readyz'] as const;

const [LIVE, READY] = HEALTH_PATHS;

/** From one check of the database to the next, in milliseconds: anybody may ask, as often as they like. */
const SPACING_MS = 100;

/** Whether this process accepts more requests. */
export interface Readiness {
  stopping: boolean;
}

const DATABASE_OBSTACLE = 'The database does not answer, or takes no writes.';

/**
 * `/livez`: the process answers. `/readyz`: it can serve; 503 from the moment it is told to stop, so that a load balancer stops
 * sending requests before the connections close, and while the database can't be read or written. The problem is logged
 * once, not per check, and shown to nobody else. However many ask, the database is checked ten times a second at most, and each is told
 * of a check that began after they asked.
 */
export function registerHealth(app: FastifyInstance, storage: Storage, readiness: Readiness): void {
  const log = new ReadinessLog(app.log);
  const checks = new SpacedRuns({
    work: async () => {
      const reason = await databaseFault(storage);
      log.note(reason);
      return reason;
    },
    spacingMs: SPACING_MS,
  });

  getOnly(app, LIVE, { logLevel: 'warn' }, async () => ({ status: 'live' }));

  getOnly(app, READY, { logLevel: 'warn' }, async (_request, reply) => {
    const refuse = (error: string) => reply.code(503).header('retry-after', '1').send({ error });
    if (readiness.stopping) return refuse('The server is stopping.');
    const reason = await checks.run();
    // All who waited for the same check go on at once.
    await takeTurn(READY);
    return reason === undefined ? { status: 'ready' } : refuse(DATABASE_OBSTACLE);
  });
}

async function databaseFault(storage: Storage): Promise<string | undefined> {
  try {
    await storage.ping();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
