import type { FastifyInstance } from 'fastify';
import { getOnly } from './get-only.ts';
import type { Storage } from '../storage/storage.ts';

/** Whether this process wants more requests. */
export interface Readiness {
  stopping: boolean;
}

/**
 * `/livez`: the process answers. `/readyz`: it can serve; 503 from the moment it is told to stop, so that a load balancer turns
 * away before the connections close, and while the database can't answer or takes no writes.
 */
export function registerHealth(app: FastifyInstance, storage: Storage, readiness: Readiness): void {
  getOnly(app, '/livez', { logLevel: 'warn' }, async () => ({ status: 'live' }));

  getOnly(app, '/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const obstacle = readiness.stopping ? 'The server is stopping.' : await databaseObstacle(storage);
    if (obstacle === undefined) return { status: 'ready' };
    return reply.code(503).header('retry-after', '1').send({ error: obstacle });
  });
}

async function databaseObstacle(storage: Storage): Promise<string | undefined> {
  try {
    await storage.ping();
    return undefined;
  } catch {
    return 'The database does not answer, or takes no writes.';
  }
}
