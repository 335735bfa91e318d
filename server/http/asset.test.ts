// @module-tag sqlite-alone
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startTestServer } from '../../test/support/server.ts';

it('a file is in memory once, however many ask for it and take nothing', async () => {
  const server = await startTestServer();
  const { text } = await server.call({ path: '/docs' });
  const path = /src="([^"]+bundle\.js)"/.exec(text)?.[1] ?? '';
  const file = (await server.call({ path })).bytes.length;
  expect(file).toBeGreaterThan(1_000_000);
  const before = process.memoryUsage();
  const sockets = Array.from({ length: 30 }, () => connect(Number(new URL(server.origin).port), '127.0.0.1').pause());
  for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(30));
  for (let round = 0; round < 30; round += 1) expect((await server.call({ path: '/livez' })).status).toBe(200);
  const grown = process.memoryUsage();
  expect(grown.external + grown.arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(40 * file);
  for (const socket of sockets) socket.destroy();
  await server.close();
});
