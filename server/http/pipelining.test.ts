import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { boundPipelining } from './pipelining.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function connectTo(serve: RequestListener) {
  server = createServer(serve);
  boundPipelining(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
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
