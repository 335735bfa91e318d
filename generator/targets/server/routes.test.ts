import { expect, test } from 'vitest';
import { serveDocument } from '../../testing/served-contract.ts';

function get(operationId: string): object {
  const parameters = ['p', 'f'].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  return { get: { operationId, parameters, responses: { 200: { description: 'What was read' } } } };
}

test.each([
  { what: 'that with less fixed text first', paths: ['/g/{p}.{f}', '/g/{p}t.{f}'] },
  { what: 'that with more fixed text first', paths: ['/g/{p}t.{f}', '/g/{p}.{f}'] },
])('of paths that share a segment the one with the most fixed text answers: $what', async ({ paths }) => {
  const app = await serveDocument({
    openapi: '3.1.0',
    info: { title: 'Shared segments', version: '1' },
    paths: Object.fromEntries(paths.map((path, index) => [path, get(`read${index}`)])),
  });
  expect((await app.inject('/g/xt.z')).json().params).toEqual({ p: 'x', f: 'z' });
  expect((await app.inject('/g/xy.z')).json().params).toEqual({ p: 'xy', f: 'z' });
  expect((await app.inject({ method: 'PUT', url: '/g/xt.z' })).statusCode).toBe(405);
  await app.close();
});
