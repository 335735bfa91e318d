import type { FastifyInstance, RouteHandlerMethod, RouteShorthandOptions } from 'fastify';
import { HttpError } from './http-error.ts';

const ALLOW = 'GET, HEAD';

/** Serves a read-only route outside the contract; other methods are 405, as everywhere. */
export function getOnly(
  app: FastifyInstance,
  path: string,
  options: RouteShorthandOptions,
  handler: RouteHandlerMethod,
): void {
  app.get(path, options, handler);
  const refuse = async ({ method }: { method: string }): Promise<never> => {
    throw new HttpError(405, `${method} is not supported here; use ${ALLOW}.`, { allow: ALLOW });
  };
  const others = app.supportedMethods.filter((method) => method !== 'GET' && method !== 'HEAD');
  app.route({ method: others, url: path, onRequest: refuse, handler: refuse });
}
