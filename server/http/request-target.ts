import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

/** RFC 9112, 3.2.4: `*` names no resource. The router would treat it as `/`. */
export function registerTargetCheck(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    done(raw.url?.startsWith('*') ? new HttpError(400, 'A request must name a path, such as "/".') : undefined);
  });
}
