import { execFileSync } from 'node:child_process';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess } from '../support/command-line.ts';
import { Caller } from './support/caller.ts';
import { type Installation, install } from './support/installation.ts';
import { median } from './support/latency.ts';
import { openConnection } from './support/raw-client.ts';

const SLOW_CLIENTS = 500;
const IDLE_CONNECTIONS = mostConnections(5_000);
const MEASURE_MS = 2_000;
/** How many times as long as alone a call may take, in the median. */
const MOST_SLOWDOWN = 3;

let installation: Installation;
let server: ServerProcess;
let caller: Caller;
beforeAll(async () => {
  installation = await install();
  server = await installation.start();
  caller = new Caller(server.origin, installation.access, 1);
  await timeCalls('warm');
});
afterAll(async () => {
  await caller.close();
  await installation.remove();
});

describe(`in the median a call takes at most ${MOST_SLOWDOWN} times as long as alone`, () => {
  it(`beside ${SLOW_CLIENTS} clients whose headers come one byte a second`, async () => {
    await expectNoSlowdown('slow-headers', SLOW_CLIENTS, 'GET /livez HTTP/1.1\r\nhost: x\r\nx-slow: ');
  });

  it(`beside ${SLOW_CLIENTS} clients whose bodies come one byte a second`, async () => {
    const { workspaceId, authorization } = installation.access;
    const headers =
      `POST /workspaces/${workspaceId}/branches/v1 HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n` +
      'content-type: application/json\r\ncontent-length: 60000\r\n\r\n';
    await expectNoSlowdown('slow-bodies', SLOW_CLIENTS, headers);
  });

  it(`beside ${IDLE_CONNECTIONS} idle connections`, async () => {
    await expectNoSlowdown('idle-connections', IDLE_CONNECTIONS, undefined);
  });
});

/** What slows calls down does so each time that it is tried; what else the machine does comes and goes. */
const TRIES = 3;

async function expectNoSlowdown(what: string, count: number, beginning: string | undefined): Promise<void> {
  const slowdowns: number[] = [];
  while (slowdowns.length < TRIES) {
    const slowdown = await measureSlowdown(`${what}-${slowdowns.length}`, count, beginning);
    if (slowdown < MOST_SLOWDOWN) return;
    slowdowns.push(slowdown);
  }
  expect(Math.min(...slowdowns)).toBeLessThan(MOST_SLOWDOWN);
}

/**
 * Opens the connections, and where they have a beginning sends it, and from then on one byte a second each.
 *
 * @returns how many times as long as alone a call then takes
 */
async function measureSlowdown(what: string, count: number, beginning: string | undefined): Promise<number> {
  const alone = await timeCalls(`before-${what}`);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    // Of many networks, of which each has a quarter of all connections at most.
    const some = Array.from({ length: 100 }, (_, index) => openConnection(server.origin, `127.1.${index}.1`));
    sockets.push(...(await Promise.all(some)));
  }
  const drips = beginning === undefined ? [] : sockets.map((socket, index) => drip(socket, beginning, index));
  const beside = await timeCalls(what);
  const still = sockets.filter(({ readyState }) => readyState === 'open').length;
  for (const stop of drips) stop();
  for (const socket of sockets) socket.destroy();
  console.log(`Beside ${still} ${what} a call takes ${beside.toFixed(2)} ms, alone ${alone.toFixed(2)} ms.`);
  expect(still, 'all of them were there to the end').toBe(count);
  return beside / alone;
}

function drip(socket: Socket, beginning: string, index: number): () => void {
  socket.write(beginning);
  let timer = setTimeout(function write() {
    socket.write('x');
    timer = setTimeout(write, 1_000);
  }, index % 1_000);
  return () => clearTimeout(timer);
}

/** The median of creations one after the other, in milliseconds. */
async function timeCalls(prefix: string): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + MEASURE_MS;
  while (performance.now() < end) {
    const start = performance.now();
    const { status, text } = await caller.create(`${prefix}-${times.length}`);
    times.push(performance.now() - start);
    expect(status, text).toBe(201);
  }
  return median(times);
}

/** As many as wanted, or as the system lets one process have, which is then said. */
function mostConnections(wanted: number): number {
  const files = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim());
  const most = Number.isNaN(files) ? wanted : Math.floor((files - 200) / 100) * 100;
  if (most < wanted)
    console.log(`Only ${most} connections instead of ${wanted}: a process may have ${files} files open.`);
  return Math.min(wanted, most);
}
