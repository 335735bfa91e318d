import fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { NotTaken } from '../storage/group-commit.ts';
import { replyWithError } from './errors.ts';
import { HttpError } from './http-error.ts';

test('what could not be taken may come again', async () => {
  const app = fastify();
  app.setErrorHandler(replyWithError);
  app.get('/', () => {
    throw new NotTaken('The service has more to store than it can now.');
  });
  const reply = await app.inject('/');
  expect(reply.statusCode).toBe(503);
  expect(reply.headers['retry-after']).toBe('1');
  expect(reply.json()).toEqual({ error: 'The service has more to store than it can now.' });
});

test.each([
  [new NotTaken('Too many batches wait.'), 'warn'],
  [new HttpError(503, 'Too many exports are under way.'), 'warn'],
  [new Error('a fault of ours'), 'error'],
] as const)('%s is logged as %s', async (thrown, level) => {
  const app = fastify();
  app.setErrorHandler(replyWithError);
  const logged = { warn: vi.fn(), error: vi.fn() };
  app.get('/', (request) => {
    vi.spyOn(request.log, 'warn').mockImplementation(logged.warn);
    vi.spyOn(request.log, 'error').mockImplementation(logged.error);
    throw thrown;
  });
  await app.inject('/');
  expect({ warn: logged.warn.mock.calls.length, error: logged.error.mock.calls.length }).toEqual({
    warn: level === 'warn' ? 1 : 0,
    error: level === 'error' ? 1 : 0,
  });
});
