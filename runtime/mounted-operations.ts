import fastify, { type RouteOptions } from 'fastify';
import type { OperationPlan } from './plan.ts';

/** What glue says of the route of an operation; the rest is ours. */
export interface MountedOperation extends Pick<RouteOptions, 'method' | 'url' | 'schema'> {
  /** The operation's id. */
  id: string;
}

/** What is used of glue's parser. */
interface GlueParser {
  parse(
    specification: object,
    options: object,
  ): { routes: { operationId: string; method: RouteOptions['method']; url: string; schema: object }[] };
}

/** Has glue say how the operations are mounted. */
export async function mountOperations(operations: readonly OperationPlan[]): Promise<readonly MountedOperation[]> {
  const specification = makeRoutingDocument(operations);
  return (await parseAlone(specification)) ?? mountWhole(specification);
}

/**
 * By glue's parser alone. The plugin first compiles OpenAPI's own schema, to check by it a document that is made here: that takes longer
 * than all else of a start.
 *
 * @returns `undefined` where the parser is not found: in a bundle, or in a version of glue that keeps it elsewhere.
 */
export async function parseAlone(specification: object): Promise<readonly MountedOperation[] | undefined> {
  let Parser: new () => GlueParser;
  try {
    const place = new URL('lib/Parser.v3.js', import.meta.resolve('fastify-openapi-glue'));
    ({ ParserV3: Parser } = await import(place.href));
  } catch {
    return undefined;
  }
  const { routes } = new Parser().parse(specification, {});
  return routes.map(({ operationId, method, url, schema }) => ({ id: operationId, method, url, schema }));
}

/** By the plugin, on an application that serves nothing. */
export async function mountWhole(specification: object): Promise<readonly MountedOperation[]> {
  const { fastifyOpenapiGlue } = await import('fastify-openapi-glue');
  const app = fastify({ exposeHeadRoutes: false });
  const mounted: MountedOperation[] = [];
  let id = '';
  app.addHook('onRoute', ({ method, url, schema = {} }) => {
    mounted.push({ id, method, url, schema });
  });
  await app.register(fastifyOpenapiGlue, {
    specification,
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
export function makeRoutingDocument(operations: readonly OperationPlan[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { route, method, id } of operations) {
    const responses = { default: { description: '' } };
    (paths[route] ??= {})[method.toLowerCase()] = { operationId: id, responses };
  }
  return { openapi: '3.0.3', info: { title: 'routes', version: '1' }, paths };
}
