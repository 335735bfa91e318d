import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '@branchline/contract';
import { makeClientProject } from './client-project.ts';

test('an operation that answers with events alone has no method', async () => {
  const contract = await loadContract(fileURLToPath(new URL('../../client/testing/shelf.yaml', import.meta.url)));
  const { paths } = makeClientProject(contract).document as { paths: object };
  expect(Object.keys(paths)).toEqual(['/shelves/{shelf}/books', '/covers/{book}', '/health']);
});
