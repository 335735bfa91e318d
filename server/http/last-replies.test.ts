import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { buildListener } from './listener.ts';

const LONG_MS = 3_600_000;

it('a stop ends with a reply that had begun before it, though the client keeps the connection', async () => {
  const app = await buildListener({
    logger: pino({ level: 'silent' }),
    maxConnections: 10,
    arrival: { request: LONG_MS, idle: LONG_MS, lookEvery: LONG_MS, rest: LONG_MS },
  });
  const reply = new PassThrough();
  app.get('/', (_request, to) => to.send(reply));
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1');
  let text = '';
  socket.on('data', (some: Buffer) => (text += some.toString()));
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  reply.write('begun; ');
  await expect.poll(() => text, { timeout: 30_000 }).toContain('begun; ');

  const closed = app.close();
  reply.end('whole');
  await Promise.all([once(socket, 'end'), closed]);
  expect(text).toContain('whole');
});
