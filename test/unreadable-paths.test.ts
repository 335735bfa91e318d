// @module-tag sqlite-alone
import { afterEach, beforeEach, expect, it } from 'vitest';
import contract from '../server/generated/contract.json' with { type: 'json' };
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Every operation whose path has parameters, with the statuses that it may answer; but for Create Branch, whose 400 has the one
 * sentence of the documents, which tells of names.
 */
const operations = Object.entries<
  Partial<Record<(typeof METHODS)[number], { operationId: string; responses: object }>>
>(contract.paths)
  .filter(([path]) => path.includes('{'))
  .flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined || operation.operationId === 'createBranch'
        ? []
        : [{ method: method.toUpperCase(), path, responses: operation.responses }];
    }),
  );

it.each(operations)('$method $path declares its answer to a path that is badly encoded', async (operation) => {
  const path = operation.path.replaceAll(/\{[^}]+\}/g, '%ff');
  const { status } = await server.call({ method: operation.method, path });
  expect(Object.keys(operation.responses)).toContain(`${status}`);
});
