import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import {
  appWith,
  generateServer,
  importWiring,
  temporaryFolder,
  type AnyOptions,
  type AnyReply,
  type AnyRequest,
} from './generated-server.ts';

const spec = fileURLToPath(new URL('hostile.yaml', import.meta.url));

/** Answers with what the handler was given, so that a test can look at it. */
export function echo({ params, query, headers, cookies, principals, body, type }: AnyRequest): AnyReply {
  return { status: 200, body: { params, query, headers, cookies, principals, body, type } };
}

const operations = [
  'listThings createThing getThingsByTripId deleteOperation metaRoot constructorOperation getFile stream news',
  'replaceThing sendBatch putAnything bothOrKey oneScheme maybe withBody headAlone',
].flatMap((ids) => ids.split(' '));

const echoes: AnyOptions['handlers'] = {
  ...Object.fromEntries(operations.map((id) => [id, echo])),
  createThing: (request) => ({ ...echo(request), status: 201 }),
};

/** Lets everyone in. */
const open: AnyOptions['securityHandlers'] = { basic: () => 'basic', 'api-key': () => 'key', token: () => 'token' };

/**
 * Generates a server from `hostile.yaml` once for the test file, and makes applications of it. A handler that the test
 * does not give echoes its request; an application for which nothing is given is shared by the tests.
 */
export function hostileApp(): (options?: Partial<AnyOptions>) => Promise<FastifyInstance> {
  const folder = temporaryFolder();
  const apps: FastifyInstance[] = [];
  let wiring: Awaited<ReturnType<typeof importWiring>>;
  let shared: Promise<FastifyInstance> | undefined;

  beforeAll(async () => {
    const { path } = await folder;
    await generateServer(spec, path);
    wiring = await importWiring(path);
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await (await folder)[Symbol.asyncDispose]();
  });

  const make = async ({ handlers, ...rest }: Partial<AnyOptions>): Promise<FastifyInstance> => {
    const app = await appWith(wiring, { securityHandlers: open, ...rest, handlers: { ...echoes, ...handlers } });
    apps.push(app);
    return app;
  };
  return (options) => (options === undefined ? (shared ??= make({})) : make(options));
}
