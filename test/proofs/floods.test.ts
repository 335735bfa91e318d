import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic } from '../support/server.ts';
import type { ServerProcess } from '../support/command-line.ts';
import { Caller } from './support/caller.ts';
import { startFlood } from './support/flood.ts';
import { type Installation, install } from './support/installation.ts';
import { median } from './support/latency.ts';
import { LIVE_REQUEST, openConnections } from './support/raw-client.ts';

const CONNECTIONS = 300;
const CALLS = 30;

const WRONG_SECRET = 'x'.repeat(43);

let installation: Installation;
let server: ServerProcess;
let caller: Caller;
beforeAll(async () => {
  installation = await install();
  server = await installation.start();
  caller = new Caller(server.origin, installation.access, 1);
  // From then on the server knows the victim's credentials.
  expect((await caller.create('before')).status).toBe(201);
});
afterAll(async () => {
  await caller.close();
  await installation.remove();
});

/** A wrong secret of what exists. */
const FLOODS = {
  'an API key': () => ({
    path: '/inspector/batches/v1',
    credential: `api-key: ${installation.access.apiKey.replace(/[^.]+$/, WRONG_SECRET)}`,
  }),
  'a service account': () => {
    const { workspaceId, authorization } = installation.access;
    const [name = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
    const wrong = basic({ name, secret: WRONG_SECRET });
    return { path: `/workspaces/${workspaceId}/branches/v1`, credential: `authorization: ${wrong}` };
  },
} as const;

/** Counted, not timed: what else the machine does slows all of it down alike. */
describe(`while ${CONNECTIONS} connections send wrong secrets, few of those are answered until others are`, () => {
  it.each(Object.entries(FLOODS))('of %s', async (what, floodOf) => {
    const { path, credential } = floodOf();
    const request =
      `POST ${path} HTTP/1.1\r\nhost: x\r\n${credential}\r\n` +
      'content-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
    const flood = await startFlood(server.origin, CONNECTIONS, request);
    const answeredDuring = (call: (index: number) => Promise<unknown>) => countDuring(flood.answered, call);
    const live = await answeredDuring(() => fetch(`${server.origin}/livez`));
    const creations = await answeredDuring(async (index) => {
      const { status } = await caller.create(`beside-${what.replaceAll(' ', '-').toLowerCase()}-${index}`);
      expect(status).toBe(201);
    });
    flood.stop();
    console.log(
      `Of a flood on ${what} (${flood.answered()} answers), ${live} were answered until /livez was, and ${creations} until a create was.`,
    );
    expect(flood.answered(), 'the flood goes on').toBeGreaterThan(CALLS);
    expect([...flood.statuses]).toEqual(['401']);
    expect(live).toBeLessThan(CONNECTIONS / 4);
    expect(creations).toBeLessThan(CONNECTIONS / 2);
  });
});

it(`of ${CONNECTIONS} authenticated requests that come together, few are let in before /livez is answered`, async () => {
  const { workspaceId, authorization } = installation.access;
  // The server says when it has let one in; the bodies never come.
  const request =
    `POST /workspaces/${workspaceId}/branches/v1 HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n` +
    'content-type: application/json\r\ncontent-length: 60000\r\nexpect: 100-continue\r\n\r\n';
  const [probe, ...sockets] = await openConnections(server.origin, CONNECTIONS + 1);
  let admitted = 0;
  const { promise: allAdmitted, resolve } = Promise.withResolvers<void>();
  for (const socket of sockets) {
    socket.once('data', () => {
      admitted += 1;
      if (admitted === CONNECTIONS) resolve();
    });
  }
  const answer = new Promise<number>((answered) => probe?.once('data', () => answered(admitted)));
  for (const socket of sockets) socket.write(request);
  probe?.write(LIVE_REQUEST);
  const before = await answer;
  await allAdmitted;
  for (const socket of [...sockets, probe]) socket?.destroy();
  console.log(`${before} of ${CONNECTIONS} requests were let in before /livez was answered.`);
  expect(before).toBeLessThan(CONNECTIONS / 2);
});

/** By how many a count has grown while a call was under way, in the median. */
async function countDuring(count: () => number, call: (index: number) => Promise<unknown>): Promise<number> {
  const grown: number[] = [];
  for (let index = 0; index < CALLS; index += 1) {
    const before = count();
    await call(index);
    grown.push(count() - before);
  }
  return median(grown);
}
