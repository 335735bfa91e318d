// @module-tag sqlite-alone
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { basic, startTestServer } from './support/server.ts';

it('a request whose client left before the answer has a line without a status', async () => {
  const log: string[] = [];
  const server = await startTestServer({ log: { write: (line) => log.push(line) } });
  const authorization = basic(server.account);
  const body = JSON.stringify({ name: 'left-behind' });
  await closeAfter(
    server.origin,
    `POST /workspaces/shop/branches/v1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await expect.poll(() => log.join('')).toContain('"msg":"broken off"');
  const line: unknown = JSON.parse(log.find((one) => one.includes('broken off')) ?? '');
  expect(line).toMatchObject({ operation: 'createBranch', method: 'POST' });
  expect(line).not.toHaveProperty('status');
  await server.close();
});

/** Sends a text and closes this side of the connection. Waits for the other one. */
function closeAfter(origin: string, text: string): Promise<void> {
  const { hostname: host, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    // The first request of a connection is not begun where its client has left.
    const socket = connect({ host, port: Number(port) }, () => socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n'));
    socket.once('data', () => socket.end(text));
    socket
      .on('error', reject)
      .on('close', () => resolve())
      .resume();
  });
}
