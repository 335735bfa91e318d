import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { BAD_PATH } from './errors.ts';
import { HttpError } from './http-error.ts';

/** No route has it. */
const NOWHERE = '/%25';

const WITH_HOST = /^https?:\/\/[^/?#]/i;

/** RFC 9112, 3.2.1 and 3.2.2: a path, or a whole URL, which has a host. */
function isTarget(url: string): boolean {
  return url.startsWith('/') || (WITH_HOST.test(url) && URL.canParse(url));
}

/**
 * Leads a target that is none, or a path that can't be decoded, to where no route is. The router would answer it before the hooks, so
 * that it would be in no log and no metric.
 */
export function leadToRoute({ url = '/' }: IncomingMessage): string {
  if (!isTarget(url)) return NOWHERE;
  if (!url.includes('%')) return url;
  try {
    decodeURI(url.split(/[?#]/, 1)[0] ?? '');
    return url;
  } catch {
    return NOWHERE;
  }
}

/** RFC 9112, 3.2.4: among others `*` names no resource. The router would treat it as `/`. */
export function registerTargetCheck(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, originalUrl }, _reply, done) => {
    if (!isTarget(originalUrl)) done(new HttpError(400, 'A request must name a path, such as "/".'));
    else done(raw.url === originalUrl ? undefined : new HttpError(BAD_PATH.status, BAD_PATH.sentence));
  });
}
