import fastify, { type RouteOptions } from 'fastify';
import type { OperationPlan } from './plan.ts';

/** What glue says of the route of an operation; the rest is ours. */
export interface MountedOperation extends Pick<RouteOptions, 'method' | 'url' | 'schema'> {
  /** The operation's id. */
  id: string;
}

/**
 * Has glue mount the operations on an application that serves nothing. Each time it compiles OpenAPI's own schema first, which
 * takes longer than all else of a start, so those of a contract are mounted once a process.
 */
export async function mountOperations(operations: readonly OperationPlan[]): Promise<readonly MountedOperation[]> {
  // Slow to load, and not needed by those who only import something else from here, such as a command that ends at once.
  const { fastifyOpenapiGlue } = await import('fastify-openapi-glue');
  const app = fastify({ exposeHeadRoutes: false });
  const mounted: MountedOperation[] = [];
  let id = '';
  app.addHook('onRoute', ({ method, url, schema = {} }) => {
    mounted.push({ id, method, url, schema });
  });
  await app.register(fastifyOpenapiGlue, {
    specification: makeRoutingDocument(operations),
    operationResolver: (resolved: string) => {
      id = resolved;
      return () => {};
    },
  });
  return mounted;
}

/**
 * All that glue needs to know. What requests must look like is checked by the routes: glue would coerce bodies, and can
 * neither follow recursive schemas nor name a parameter `{trip-id}`.
 */
function makeRoutingDocument(operations: readonly OperationPlan[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { route, method, id } of operations) {
    const responses = { default: { description: '' } };
    (paths[route] ??= {})[method.toLowerCase()] = { operationId: id, responses };
  }
  return { openapi: '3.0.3', info: { title: 'routes', version: '1' }, paths };
}
