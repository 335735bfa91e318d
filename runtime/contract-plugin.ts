import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ContractError } from './contract-error.ts';
import type { ContractSchemas } from './contract-schemas.ts';
import { findImplementations, type ContractOptions } from './implementations.ts';
import { mountOperations } from './mounted-operations.ts';
import type { OperationPlan } from './plan.ts';
import { prepareReplyChecks, type LoadReplies } from './reply-checks.ts';
import { decorators, makeRoute, toRouterUrl } from './route.ts';
import { findUsualError } from './usual-error.ts';

/**
 * Makes a Fastify plugin that serves every operation of a contract, under the paths as the contract writes them (a base path
 * under `servers` is not added; register with a `prefix` for that).
 *
 * A request reaches its handler only authenticated and valid. Everything else is refused by throwing a
 * {@link ContractError}, or what a security handler has thrown; the application's error handler makes the response.
 * Also paths and methods that the contract does not know are refused so, therefore the application must not set a
 * not-found handler of its own on the same prefix.
 *
 * @param loadReplies - Loads what replies are checked by. Left out: they can't be.
 *
 * @example
 * const contract = contractPlugin(operations, contractSchemas(document), () => import('./replies.json', { with: { type: 'json' } }));
 * await app.register(contract, { handlers, securityHandlers });
 */
export function contractPlugin<Options extends ContractOptions = ContractOptions>(
  operations: readonly OperationPlan[],
  schemas: ContractSchemas,
  loadReplies?: LoadReplies,
): (app: FastifyInstance, options: Options) => Promise<void> {
  const inOrder = sortForRouter(operations);
  const usualError = findUsualError(operations);
  let mounted: ReturnType<typeof mountOperations> | undefined;
  return async function contract(app, options) {
    const implementationOf = findImplementations(options);
    const checkOf = await prepareReplyChecks(options, loadReplies);
    const routes = new Map(
      inOrder.map((plan) => [plan.id, makeRoute(plan, schemas, implementationOf(plan), checkOf?.(plan))]),
    );

    app.decorateRequest(decorators.principals, null);
    app.decorateRequest(decorators.input, null);
    app.decorateRequest('usualError', { getter: () => usualError });
    handOverBodiesUnread(app);
    setHeadersOfErrors(app);
    refuseOtherPaths(app);
    mounted ??= mountOperations(inOrder);
    for (const { id, ...mount } of await mounted) {
      const route = routes.get(id);
      if (route !== undefined) app.route({ ...mount, ...route });
    }
    refuseOtherMethods(app, inOrder);
  };
}

/**
 * Has bodies read by whoever wants them. Fastify's `parseAs: 'buffer'` reads a body before the parameters are checked, and leaves the
 * rest of one that is larger than `bodyLimit` unread, so that a client that is still sending may never see the 413; and one that its
 * client breaks off is an error of Fastify's.
 */
export function handOverBodiesUnread(app: FastifyInstance): void {
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

function refusePath({ method }: FastifyRequest): ContractError {
  // RFC 9110, 9.3.2: a HEAD has the headers, among them the length, that a GET would have.
  return new ContractError('path', `There is nothing to ${method === 'HEAD' ? 'GET' : method} at this path.`);
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
    const config = { contractResponses: plans.flatMap(({ responses }) => responses) };
    app.route({ method, url: toRouterUrl(route), config, onRequest: refuse, handler: refuse });
  }
}
