// @module-tag both-engines
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { batchOf, eventReport } from '../support/batch.ts';
import { countFulfilled } from '../support/count-fulfilled.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let log: string[];
let othersKey: string;
const slow: Socket[] = [];

beforeAll(async () => {
  log = [];
  server = await startTestServer({ log: { write: (line) => log.push(line) } });
  othersKey = await createKey('other');
});
afterAll(() => server.close());
afterEach(async () => {
  for (const socket of slow.splice(0)) {
    socket.destroy();
    if (!socket.closed) await once(socket, 'close');
  }
});

async function createKey(workspaceId: string): Promise<string> {
  const { keys, workspaces } = server.administration;
  await workspaces.create(workspaceId);
  return (await keys.create({ workspaceId, source: 'app', samplingRate: 1 })).text;
}

/** Begins bodies that may each be as large as any, since they are compressed, and of which nothing more comes. */
async function beginBodies(apiKey: string, count: number): Promise<void> {
  const authenticated = vi.spyOn(server.administration.keys, 'authenticate');
  const { hostname, port, host } = new URL(server.origin);
  for (let begun = 0; begun < count; begun += 1) {
    const socket = connect(Number(port), hostname);
    slow.push(socket);
    socket.write(
      `POST /inspector/batches/v1 HTTP/1.1\r\nhost: ${host}\r\napi-key: ${apiKey}\r\n` +
        'content-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 100\r\n\r\n',
    );
  }
  await expect.poll(() => countFulfilled(authenticated)).toBe(count);
  authenticated.mockRestore();
}

async function sendBatch(apiKey: string): Promise<number> {
  const { status } = await server.call({
    method: 'POST',
    path: '/inspector/batches/v1',
    as: null,
    json: batchOf([eventReport('Viewed', [])]),
    headers: { 'api-key': apiKey },
  });
  return status;
}

describe('Bodies of batches that never arrive', () => {
  it('hold up those of their own workspace, however many do the same, not those of another', async () => {
    for (const apiKey of [server.apiKey, await createKey('second'), await createKey('third')]) {
      await beginBodies(apiKey, 30);
    }
    const answered: string[] = [];
    const own = sendBatch(server.apiKey).finally(() => answered.push('own'));
    expect(await sendBatch(othersKey)).toBe(200);
    expect(answered).toEqual([]);
    for (const socket of slow) socket.destroy();
    expect(await own).toBe(200);
  });

  it('give way to another workspace, where those of many take all the room there is', async () => {
    for (let count = 0; count < 24; count += 1) await beginBodies(await createKey(`slow-${count}`), 1);
    const answers = slow.map((socket) => text(socket));
    expect(await sendBatch(othersKey)).toBe(200);
    const answer = await Promise.race(answers);
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/^retry-after: 1\r$/im);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).toMatch(/\{"error":"The body arrived too slowly while others waited\. Try again in a moment\."\}$/);
    expect(log.filter((line) => Number(JSON.parse(line).level) >= 50)).toEqual([]);
  });
});
