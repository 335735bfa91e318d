import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify, { type FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { NotWanted } from '../storage/holder.ts';
import { errorOf } from '../storage/testing/error-of.ts';
import { waitWhileWanted } from './client-left.ts';

/** A server of which each request waits, and a client that asks once. */
async function start() {
  const waits = Promise.withResolvers<{ outcome: Promise<string | undefined>; signal: AbortSignal }>();
  const given = Promise.withResolvers<string | undefined>();
  const app = Fastify();
  const handler = async (request: FastifyRequest): Promise<string> => {
    const asked = Promise.withResolvers<AbortSignal>();
    const outcome = waitWhileWanted(request, (signal) => {
      asked.resolve(signal);
      signal.addEventListener('abort', () => given.resolve(undefined));
      return given.promise;
    });
    outcome.catch(() => {});
    waits.resolve({ outcome, signal: await asked.promise });
    return (await outcome) ?? 'nothing';
  };
  app.route({ method: 'GET', url: '/', handler });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return { client, give: given.resolve, ...(await waits.promise) };
}

test('a client that leaves is waited for no longer', async () => {
  const { client, outcome, signal } = await start();
  expect(signal.aborted).toBe(false);
  client.resetAndDestroy();
  expect(await errorOf(outcome)).toBeInstanceOf(NotWanted);
  expect(signal.aborted).toBe(true);
});

test.each(['a place', undefined])('a client that stays gets what is given: %s', async (place) => {
  const { client, give, outcome } = await start();
  give(place);
  expect(await outcome).toBe(place);
  expect(String((await once(client, 'data'))[0])).toContain(place ?? 'nothing');
  client.destroy();
});
