import fastify from 'fastify';
import { expect, test } from 'vitest';
import { NotTaken } from '../storage/group-commit.ts';
import { replyWithError } from './errors.ts';

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
