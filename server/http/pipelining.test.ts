import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { boundPipelining } from './pipelining.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** How many requests the server has parsed. */
let parsed = 0;

class CountedRequest extends IncomingMessage {
  constructor(socket: IncomingMessage['socket']) {
    super(socket);
    parsed += 1;
  }
}

async function connectTo(serve: RequestListener) {
  parsed = 0;
  server = createServer({ IncomingMessage: CountedRequest }, serve);
  boundPipelining(server);
  await once(server.listen(0, '0.0.0.0'), 'listening');
  return open();
}

/** Another client, of a network of its own where its address is another. */
function open(localAddress = '127.0.0.1') {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
  let read = '';
  socket.on('data', (bytes: Buffer) => (read += bytes.toString()));
  return {
    socket,
    send: (count: number) => socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(count)),
    answers: () => read.split('HTTP/1.1 200').length - 1,
  };
}

it('answers as many at once as may be unanswered, again and again', async () => {
  const { send, answers } = await connectTo((_request, response) => response.end('x'));
  for (let round = 1; round <= 3; round += 1) {
    send(32);
    await expect.poll(answers).toBe(32 * round);
  }
});

it('serves a request once the answer to the one before has left', async () => {
  const open: ServerResponse[] = [];
  const { send } = await connectTo((_request, response) => open.push(response));
  send(3);
  for (let served = 1; served <= 3; served += 1) {
    await expect.poll(() => open.length).toBe(served);
    open.at(-1)?.end('x');
  }
});

it.each<[string, (response: ServerResponse) => void]>([
  ['by a header', (response) => response.setHeader('connection', 'close')],
  ['by what Node makes of it', (response) => (response.shouldKeepAlive = false)],
])('serves nothing behind an answer that closes the connection %s', async (_what, close) => {
  const served: ServerResponse[] = [];
  const { socket, send, answers } = await connectTo((_request, response) => served.push(response));
  const connection = once(server, 'connection');
  send(1);
  const [accepted] = (await connection) as [Socket];
  await expect.poll(() => served.length).toBe(1);
  // What closes the connection may come when the rest of a body is read.
  vi.spyOn(accepted, 'destroySoon').mockImplementation(() => {});
  const [answer] = served;
  if (answer !== undefined) close(answer);
  send(2);
  await expect.poll(() => parsed).toBe(3);
  answer?.end('x');
  await expect.poll(answers).toBe(1);
  send(1);
  await expect.poll(() => parsed).toBe(4);
  await new Promise(setImmediate);
  expect(served).toHaveLength(1);
  accepted.destroy();
  await once(socket, 'close');
});

it('cuts off whoever sends more than that and serves none of the rest', async () => {
  let served = 0;
  const { socket, send } = await connectTo(() => {
    served += 1;
  });
  send(10_000);
  const [error] = await once(socket, 'error');
  expect(error).toMatchObject({ code: 'ECONNRESET' });
  expect(served).toBe(1);
});

it('parses little in one turn of what many send who read nothing', async () => {
  const { send } = await connectTo(() => {});
  send(1);
  await expect.poll(() => parsed).toBe(1);
  const floods = Array.from({ length: 100 }, () => open());
  await Promise.all(floods.map(({ socket }) => once(socket, 'connect')));
  const ended = floods.map(({ socket }) => once(socket, 'error'));
  let isOver = false;
  let mostInOneTurn = 0;
  const watch = (before: number): void => {
    mostInOneTurn = Math.max(mostInOneTurn, parsed - before);
    if (!isOver) setImmediate(watch, parsed);
  };
  watch(parsed);
  for (const flood of floods) flood.send(2_000);
  await Promise.all(ended);
  isOver = true;
  // The places of one network; and of each connection the one that is served, and the one that is too many.
  expect(mostInOneTurn).toBeLessThanOrEqual(64 + 2 * floods.length);
});

it('keeps places of waiting requests for other networks, and takes those of closed connections back', async () => {
  const answers: ServerResponse[] = [];
  const { socket, send } = await connectTo((_request, response) => answers.push(response));
  const second = open();
  const third = open();
  for (const one of [{ send }, second]) one.send(32);
  await expect.poll(() => parsed).toBe(64);
  third.send(4);
  const [error] = await once(third.socket, 'error');
  expect(error).toMatchObject({ code: 'ECONNRESET' });

  const other = open('127.0.0.2');
  const before = parsed;
  other.send(32);
  await expect.poll(() => parsed).toBe(before + 32);
  expect(other.socket.destroyed).toBe(false);

  const closed = Promise.all(answers.slice(0, 2).map((answer) => once(answer, 'close')));
  socket.destroy();
  second.socket.destroy();
  await closed;
  const fourth = open();
  const then = parsed;
  fourth.send(32);
  await expect.poll(() => parsed).toBe(then + 32);
  expect(fourth.socket.destroyed).toBe(false);
});
