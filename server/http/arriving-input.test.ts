import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { ArrivingInput } from './arriving-input.ts';
import { buildListener } from './listener.ts';
import { Metrics } from './metrics.ts';

/** Connections that were accepted, each with its client, of the network of that address. */
async function openAll(addresses: readonly string[]) {
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket));
  await once(server.listen(0, '0.0.0.0'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const connections: { socket: Socket; client: Socket }[] = [];
  for (const localAddress of addresses) {
    const client = connect({ port, host: '127.0.0.1', localAddress });
    onTestFinished(() => void client.destroy());
    await expect.poll(() => accepted).toHaveLength(connections.length + 1);
    const socket = accepted.at(-1);
    if (socket !== undefined) connections.push({ socket, client });
  }
  return connections;
}

it('past the bound gives way on the connections of the network that has most, the oldest first, with 503', async () => {
  const connections = await openAll(['127.0.0.1', '127.0.0.2', '127.0.0.2', '127.0.0.2']);
  const input = new ArrivingInput(100);
  const held = connections.map(({ socket }) => ({ socket }));
  for (const one of held) input.add(one, 25);
  const open = () => connections.map(({ socket }) => socket.writable);
  expect(open()).toEqual([true, true, true, true]);
  input.add({ socket: connections[0]?.socket ?? new Socket() }, 1);
  expect(open()).toEqual([true, false, true, true]);
  const [, second] = connections;
  expect(second && (await text(second.client))).toMatch(
    /^HTTP\/1\.1 503 [^]*\r\nretry-after: 1\r\n[^]*\{"error":"The service has more to read [^"]*"\}$/,
  );
});

it('that is whole, or whose client has left, does not count any more', async () => {
  const connections = await openAll(['127.0.0.1', '127.0.0.1']);
  const input = new ArrivingInput(100);
  const [one, other] = connections.map(({ socket }) => ({ socket }));
  if (one === undefined || other === undefined) throw new Error('two were opened');
  input.add(one, 60);
  one.socket.destroy();
  input.remove(one);
  input.add(other, 60);
  expect(other.socket.writable).toBe(true);
});

it('of many clients takes 128 MiB, and others are served beside it', async () => {
  const app = await buildListener({ logger: pino({ level: 'silent' }), maxConnections: 1_000, closes: 'all' });
  app.post<{ Body: string }>('/', { bodyLimit: 10_000_000 }, async ({ body }) => ({ read: body.length }));
  await app.listen({ host: '0.0.0.0', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const ask = (localAddress: string, sent: number): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
    socket.write(
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\nconnection: close\r\ncontent-length: 5000000\r\n\r\n',
    );
    socket.write(Buffer.alloc(sent, 'x'));
    return socket;
  };
  let refused = 0;
  const flood = Array.from({ length: 40 }, () =>
    ask('127.0.0.2', 4_000_000).on('data', (answer: Buffer) => {
      refused += Number(String(answer).startsWith('HTTP/1.1 503'));
    }),
  );
  await expect.poll(() => refused).toBeGreaterThan(2);
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  expect(await text(ask('127.0.0.1', 5_000_000))).toContain('{"read":5000000}');
  expect(refused).toBeLessThan(20);
  const { values } = await new Metrics().inputGaveWay.get();
  expect(values[0]?.value).toBeGreaterThanOrEqual(refused);
  for (const socket of flood) socket.destroy();
});
