import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ContractError } from './contract-error.ts';
import type { ContractSchemas } from './contract-schemas.ts';
import { findImplementations, type ContractOptions } from './implementations.ts';
import type { OperationPlan } from './plan.ts';
import { decorators, makeRoute, toRouterUrl } from './route.ts';

/**
 * Makes a Fastify plugin that serves every operation of a contract, under the paths as the contract writes them (a base path
 * under `servers` is not added; register with a `prefix` for that).
 *
 * A request reaches its handler only authenticated and valid. Everything else is refused by throwing a
 * {@link ContractError}, or what a security handler has thrown; the application's error handler makes the response.
 * Also paths and methods that the contract does not know are refused so, therefore the application must not set a
 * not-found handler of its own on the same prefix.
 *
 * @example
 * const contract = contractPlugin(operations, contractSchemas(document));
 * await app.register(contract, { handlers, securityHandlers });
 */
export function contractPlugin<Options extends ContractOptions = ContractOptions>(
  operations: readonly OperationPlan[],
  schemas: ContractSchemas,
): (app: FastifyInstance, options: Options) => Promise<void> {
  return async function contract(app, options) {
    const inOrder = sortForRouter(operations);
    const implementationOf = findImplementations(options);
    const routes = new Map(operations.map((plan) => [plan.id, makeRoute(plan, schemas, implementationOf(plan))]));

    app.decorateRequest(decorators.principals, null);
    app.decorateRequest(decorators.input, null);
    handOverBodiesUnread(app);
    setHeadersOfErrors(app);
    refuseOtherPaths(app);
    // Slow to load, and not needed by those who only import something else from here, such as a command that ends at once.
    const { fastifyOpenapiGlue } = await import('fastify-openapi-glue');
    await app.register(fastifyOpenapiGlue, {
      specification: makeRoutingDocument(inOrder),
      operationResolver: (id: string) => {
        const route = routes.get(id);
        if (route === undefined) throw new Error(`The contract has no operation "${id}".`);
        return route;
      },
    });
    refuseOtherMethods(app, inOrder);
  };
}

function handOverBodiesUnread(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

function setHeadersOfErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ContractError) reply.headers(error.headers);
    throw error;
  });
}

function refuseOtherPaths(app: FastifyInstance): void {
  // Refused before the body is looked at: whatever its media type is, there is nothing here to take it.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? refusePath(request) : undefined));
  app.setNotFoundHandler((request) => {
    throw refusePath(request);
  });
}

/**
 * Of routes that share their parameters the router tries the first to come first, so that with the most fixed text comes first. Fastify
 * adds a HEAD to each GET, unless there is one by then.
 */
function sortForRouter(operations: readonly OperationPlan[]): OperationPlan[] {
  const fixed = ({ route }: OperationPlan): number => route.replaceAll(/\{\w+\}(?:\([^)]*\))?/g, '').length;
  return operations.toSorted(
    (a, b) => fixed(b) - fixed(a) || Number(b.method === 'HEAD') - Number(a.method === 'HEAD'),
  );
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

function refusePath({ method }: FastifyRequest): ContractError {
  return new ContractError('path', `There is nothing to ${method} at this path.`);
}

/** A path that is served answers the methods it does not have by saying so. */
function refuseOtherMethods(app: FastifyInstance, operations: readonly OperationPlan[]): void {
  // Imported as a module it would load all that it exports lazily too, an HTTP client among it, and slow the start.
  const { METHODS } = process.getBuiltinModule('node:http');
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  // The names of the parameters make no difference to the router.
  const byShape = Map.groupBy(operations, ({ route }) => route.replaceAll(/\{\w+\}/g, '{}'));
  for (const plans of byShape.values()) {
    const [{ route } = { route: '' }] = plans;
    const known = new Set(plans.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
    const allow = [...known].toSorted().join(', ');
    const refuse = async (request: FastifyRequest): Promise<never> => {
      throw new ContractError('method', `${request.method} is not supported here; use ${allow}.`, { allow });
    };
    const method = app.supportedMethods.filter((one) => !known.has(one));
    app.route({ method, url: toRouterUrl(route), onRequest: refuse, handler: refuse });
  }
}
