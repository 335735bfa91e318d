import fastify, { LogController } from 'fastify';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { NotTaken } from '../storage/group-commit.ts';
import { DatabaseUnavailable, Unavailable } from '../storage/transient-errors.ts';
import { errorHandler } from './errors.ts';
import { HttpError } from './http-error.ts';
import { Outage } from './outage.ts';

const replyWithError = errorHandler(new Outage(fastify().log));

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
  [Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }), 'error'],
  [Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }), 'nothing', true],
] as const)('%s is logged as %s, whose client has left: %s', async (thrown, level, hasLeft: boolean = false) => {
  const app = fastify();
  app.setErrorHandler(replyWithError);
  const logged = { warn: vi.fn(), error: vi.fn() };
  app.get('/', (request) => {
    vi.spyOn(request.log, 'warn').mockImplementation(logged.warn);
    vi.spyOn(request.log, 'error').mockImplementation(logged.error);
    if (hasLeft) Object.defineProperty(request.raw.socket, 'destroyed', { value: true });
    throw thrown;
  });
  await app.inject('/');
  expect({ warn: logged.warn.mock.calls.length, error: logged.error.mock.calls.length }).toEqual({
    warn: level === 'warn' ? 1 : 0,
    error: level === 'error' ? 1 : 0,
  });
});

test('connections that are all in use are no outage of the database', async () => {
  const lines: Record<string, unknown>[] = [];
  const loggerInstance = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const app = fastify({ loggerInstance, logController: new LogController({ disableRequestLogging: true }) });
  app.setErrorHandler(errorHandler(new Outage(app.log)));
  app.get('/', () => {
    throw new Unavailable('All connections to PostgreSQL are in use.');
  });
  expect((await app.inject('/')).statusCode).toBe(503);
  expect(lines).toMatchObject([{ level: 40, msg: 'not taken', reason: 'All connections to PostgreSQL are in use.' }]);
});

test('an outage of the database is logged when it begins and when it has ended, not for each request', async () => {
  const lines: Record<string, unknown>[] = [];
  const loggerInstance = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const app = fastify({ loggerInstance, logController: new LogController({ disableRequestLogging: true }) });
  let now = 0;
  const outage = new Outage(app.log, () => now);
  app.setErrorHandler(errorHandler(outage));
  app.get('/', () => {
    throw new DatabaseUnavailable(`There is no connection: ${'x'.repeat(10_000)}`);
  });
  for (now = 1_000; now <= 5_000; now += 1_000) {
    await app.inject('/');
    // What needs no more of the database than is there succeeds meanwhile.
    outage.ended();
  }
  now = 16_000;
  outage.ended();
  outage.ended();
  const faults = lines.filter(({ level }) => Number(level) >= 50);
  expect(faults).toMatchObject([
    { msg: 'the database can not be used', reason: expect.stringContaining('There is no connection') },
  ]);
  expect(faults[0]).not.toHaveProperty('err');
  const requests = lines.filter(({ msg }) => msg === 'not served');
  expect(requests).toHaveLength(5);
  expect(JSON.stringify(requests[4]).length).toBeLessThan(600);
  expect(requests[4]).not.toHaveProperty('err');
  expect(lines.at(-1)).toMatchObject({ failedRequests: 5, seconds: 4, msg: 'the database can be used again' });
  expect(lines).toHaveLength(7);
});
