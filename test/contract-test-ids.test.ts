import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareContractTest } from '../conformance/derived/contract-test.ts';
import { type Answer, serve } from '../conformance/derived/testing/server.ts';
import { loadContract } from '../contract/load.ts';
import { deriveCases } from '../generator/targets/cases/case-file.ts';

const MOST = 10;

const orderSchema = {
  type: 'object',
  required: ['id', 'dish'],
  properties: { id: { type: 'integer' }, dish: { type: 'string' } },
};
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const failure = { description: 'What was wrong.', ...json({ type: 'object', required: ['error'] }) };
const order = { description: 'The order.', ...json(orderSchema) };
const orderId = { name: 'orderId', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: MOST } };

/** The id is the client's to choose, and bounded in the paths alone. */
const kitchen = {
  openapi: '3.1.0',
  info: { title: 'Kitchen', version: '1' },
  paths: {
    '/orders': {
      post: {
        operationId: 'createOrder',
        requestBody: { required: true, ...json(orderSchema) },
        responses: { 201: order, 400: failure, 415: failure },
      },
    },
    '/orders/{orderId}': {
      parameters: [orderId],
      get: { operationId: 'getOrder', responses: { 200: order, 400: failure, 404: failure } },
      delete: { operationId: 'deleteOrder', responses: { 204: { description: 'Done.' }, 400: failure, 404: failure } },
    },
  },
};

/** A kitchen that never forgets an order has deleted none. */
function answerOrders(forgets: boolean): Answer {
  const orders = new Map<number, object>();
  return ({ method, url = '', headers, body }, response) => {
    const reply = (status: number, value?: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(value && JSON.stringify(value));
    };
    const id = url.split('/')[2];
    if (id === undefined) {
      if (method !== 'POST') return reply(405, { error: 'Only POST.' });
      if (headers['content-type'] !== 'application/json') return reply(415, { error: 'Only JSON.' });
      const sent = readOrder(body);
      if (sent === undefined) return reply(400, { error: 'No order.' });
      orders.set(sent.id, sent);
      return reply(201, sent);
    }
    if (!/^\d+$/.test(id) || Number(id) < 1 || Number(id) > MOST) return reply(400, { error: 'No id.' });
    const found = orders.get(Number(id));
    if (found === undefined) return reply(404, { error: 'No such order.' });
    if (method === 'DELETE' && forgets) orders.delete(Number(id));
    return method === 'DELETE' ? reply(204) : reply(200, found);
  };
}

function readOrder(body: string): { id: number; dish: string } | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const { id, dish } = Object(value);
    return Number.isInteger(id) && typeof dish === 'string' ? { id, dish } : undefined;
  } catch {
    return undefined;
  }
}

async function tryKitchen(forgets: boolean): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'branchline-contract-test-'));
  try {
    const spec = join(folder, 'kitchen.json');
    await writeFile(spec, JSON.stringify(kitchen));
    const contract = await loadContract(spec);
    const { target } = await serve(answerOrders(forgets));
    const prepared = await prepareContractTest({ contract, cases: deriveCases(contract) }, target, {
      seed: 1,
      maxExamples: 10,
    });
    const { results } = await prepared.run();
    return Object.fromEntries(results.filter(({ state }) => state !== 'pass').map(({ id, state }) => [id, state]));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('what is created has an id that the paths take: what becomes of it is tried', async () => {
  expect(await tryKitchen(true)).toEqual({});
  expect(await tryKitchen(false)).toMatchObject({ 'deleteOrder/scenario/gone': 'fail' });
});
