import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServerProcess } from '../support/command-line.ts';
import { Caller } from './support/caller.ts';
import { type Access, type Installation, install } from './support/installation.ts';
import { latencies, median } from './support/latency.ts';
import { insertBranches } from './support/many-branches.ts';
import { forgetPeak, memoryHeld, memoryInRam, WITH_MEMORY_PROBE } from './support/memory.ts';
import { closed, openConnection } from './support/raw-client.ts';
import { scale } from './support/scale.ts';

const BRANCHES = scale({ usual: 100_000, full: 1_000_000 });
const STOPPED_CLIENTS = 20;
const MOST_GROWTH_MIB = 50;
/** For each of them: a bounded number of chunks, however long the export is. */
const MOST_HELD_MIB = 3;
/** A creation may take so many times as long as without the stopped clients. */
const MOST_SLOWDOWN = 3;
/** The server breaks off an export of which a client takes nothing for two minutes: most of the proof's time if it is waited for. */
const WAITS_FOR_CUT_OFF = scale({ usual: false, full: true });
const CUT_OFF_MS = 140_000;

let installation: Installation;
let server: ServerProcess;
beforeAll(async () => {
  installation = await install();
  await insertBranches(installation, BRANCHES);
  server = await installation.start([], WITH_MEMORY_PROBE);
  // What the first requests bring into memory is no part of what an export takes.
  await exportToNowhere(server.origin, installation.access, '?branchStatuses=Merged');
});
afterAll(() => installation.remove());

it(
  `${BRANCHES} branches are exported with less than ${MOST_GROWTH_MIB} MiB more memory`,
  { timeout: 120_000 },
  async () => {
    const before = memoryInRam(server).now;
    forgetPeak(server);
    const start = performance.now();
    const lines = await exportToNowhere(server.origin, installation.access);
    const seconds = (performance.now() - start) / 1_000;
    const growth = memoryInRam(server).peak - before;
    console.log(`${lines} lines in ${seconds.toFixed(1)} s, ${growth.toFixed(1)} MiB more memory.`);
    expect(lines).toBe(1 + BRANCHES);
    expect(growth).toBeLessThan(MOST_GROWTH_MIB);
  },
);

const title = `clients that stop reading hold neither memory nor writers${WAITS_FOR_CUT_OFF ? ', and are cut off' : ''}`;
it(title, { timeout: 240_000 }, async () => {
  const caller = new Caller(server.origin, installation.access, 1);
  const timeCreations = (prefix: string) => latencies(300, (n) => caller.create(`${prefix}-${n}`));
  await timeCreations('warm');
  const alone = median(await timeCreations('alone'));
  const before = await memoryHeld(server);

  const stopped: Socket[] = [];
  while (stopped.length < STOPPED_CLIENTS) stopped.push(await stopReading());
  const stoppedAt = performance.now();
  const beside = median(await timeCreations('beside'));
  const each = ((await memoryHeld(server)) - before) / STOPPED_CLIENTS;
  console.log(
    `Beside ${STOPPED_CLIENTS} stopped clients, each holding ${each.toFixed(1)} MiB, ` +
      `a creation takes ${beside.toFixed(2)} ms, without them ${alone.toFixed(2)} ms.`,
  );
  expect(each).toBeLessThan(MOST_HELD_MIB);
  expect(beside).toBeLessThan(MOST_SLOWDOWN * alone);

  const cutOff = () =>
    server
      .log()
      .split('\n')
      .filter((line) => line.includes('"broken off"')).length;
  if (WAITS_FOR_CUT_OFF) {
    await expect.poll(cutOff, { timeout: CUT_OFF_MS, interval: 250 }).toBe(STOPPED_CLIENTS);
    console.log(`Cut off after ${((performance.now() - stoppedAt) / 1_000).toFixed(0)} s.`);
  }
  for (const socket of stopped) {
    if (!WAITS_FOR_CUT_OFF) {
      socket.destroy();
      continue;
    }
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk)).resume();
    await closed(socket);
    expect(Buffer.concat(received).toString('latin1'), 'never looks whole').not.toMatch(/\r\n0\r\n\r\n$/);
  }
  await caller.close();
  expect(await exportToNowhere(server.origin, installation.access), 'as if nothing had been').toBeGreaterThan(BRANCHES);
});

/** Asks for the export, and reads no more once it begins to come. */
async function stopReading(): Promise<Socket> {
  const { workspaceId, authorization } = installation.access;
  const socket = await openConnection(server.origin);
  socket.write(
    `GET /workspaces/${workspaceId}/branches/export/v1 HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`,
  );
  const [first] = await once(socket, 'data');
  socket.pause();
  expect(String(first)).toMatch(/^HTTP\/1.1 200 /);
  return socket;
}

/** Reads the export and keeps nothing of it; gives the number of its lines. */
async function exportToNowhere(origin: string, access: Access, query = ''): Promise<number> {
  const incoming = await askForExport(origin, access, query);
  expect(incoming.statusCode).toBe(200);
  let lines = 0;
  for await (const chunk of incoming) for (const byte of chunk) if (byte === 10) lines += 1;
  return lines;
}

async function askForExport(origin: string, { workspaceId, authorization }: Access, query = '') {
  const url = `${origin}/workspaces/${workspaceId}/branches/export/v1${query}`;
  const outgoing = request(url, { headers: { authorization }, agent: false }).end();
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  if (incoming === undefined) throw new Error('There was no response.');
  return incoming;
}
