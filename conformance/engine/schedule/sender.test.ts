import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Skipped } from '../case.ts';
import type { Outcome } from '../http/client.ts';
import { Sender, type PlannedRequest } from './sender.ts';

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A sender to a service that answers as it is told. */
async function senderTo(answer: http.RequestListener): Promise<Sender> {
  const server = http.createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new Sender({
    baseUrl: `http://127.0.0.1:${port}`,
    record: ({ method, url }) => ({ request: { method, url, headers: [] } }),
  });
}

const REQUEST: PlannedRequest = { path: '/', lane: 'first create' };

async function sendAll(sender: Sender, requests: number): Promise<(number | undefined)[]> {
  const all = await Promise.all(Array.from({ length: requests }, () => sender.send(REQUEST)));
  return all.map(({ outcome }: { outcome: Outcome }) => outcome.answer?.status);
}

describe('requests that come too fast', () => {
  it('are sent again, one at a time, until each is served', async () => {
    let last = 0;
    const sender = await senderTo((_, response) => {
      const early = performance.now() - last < 40;
      if (!early) last = performance.now();
      response.writeHead(early ? 429 : 201).end();
    });
    expect(await sendAll(sender, 12)).toEqual(Array(12).fill(201));
    expect(sender.requests).toBeLessThan(12 * 4);
  });

  it('are given up where nobody is ever served', async () => {
    const sender = await senderTo((_, response) => response.writeHead(429, { 'retry-after': '0' }).end());
    await expect(sender.send(REQUEST)).rejects.toThrow(Skipped);
    const before = sender.requests;
    await expect(sender.send(REQUEST)).rejects.toThrow('429');
    expect(sender.requests).toBe(before + 1);
  });

  it('may be answered with 503 and Retry-After as well, which stays a fault if it lasts', async () => {
    const sender = await senderTo((_, response) => response.writeHead(503, { 'retry-after': '0' }).end());
    expect(await sendAll(sender, 1)).toEqual([503]);
    expect(sender.requests).toBe(8);
  });

  it('are not sent again by who wants to see the answer', async () => {
    const sender = await senderTo((_, response) => response.writeHead(429).end());
    const { outcome } = await sender.send({ ...REQUEST, impatient: true });
    expect(outcome.answer?.status).toBe(429);
    expect(sender.requests).toBe(1);
  });
});
