import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { afterAll } from 'vitest';
import { contractPlugin, contractSchemas, type OperationPlan } from '../index.ts';
import { appWith, type AnyOptions, type AnyReply, type AnyRequest } from '../../test/support/application.ts';

/** Made by the generator; `generator/typescript/operation-plan.test.ts` sees to it that it is what the generator makes today. */
const { operations, document }: { operations: readonly OperationPlan[]; document: object } = JSON.parse(
  readFileSync(new URL('generated/hostile.json', import.meta.url), 'utf8'),
);
const contract = contractPlugin<AnyOptions>(operations, contractSchemas(document));

/** Answers with what the handler was given, so that a test can look at it. */
export function echo({ params, query, headers, cookies, principals, body, type }: AnyRequest): AnyReply {
  return { status: 200, body: { params, query, headers, cookies, principals, body, type } };
}

const echoes: AnyOptions['handlers'] = {
  ...Object.fromEntries(operations.map(({ id }) => [id, echo])),
  createThing: (request) => ({ ...echo(request), status: 201 }),
};

/** Lets everyone in. */
const open: AnyOptions['securityHandlers'] = { basic: () => 'basic', 'api-key': () => 'key', token: () => 'token' };

/**
 * Makes applications of `generator/testing/hostile.yaml`. A handler that the test does not give echoes its request; an
 * application for which nothing is given is shared by the tests.
 */
export function hostileApp(): (options?: Partial<AnyOptions>) => Promise<FastifyInstance> {
  const apps: FastifyInstance[] = [];
  let shared: Promise<FastifyInstance> | undefined;
  afterAll(() => Promise.all(apps.map((app) => app.close())));

  const make = async ({ handlers, ...rest }: Partial<AnyOptions>): Promise<FastifyInstance> => {
    const app = await appWith(contract, { securityHandlers: open, ...rest, handlers: { ...echoes, ...handlers } });
    apps.push(app);
    return app;
  };
  return (options) => (options === undefined ? (shared ??= make({})) : make(options));
}
