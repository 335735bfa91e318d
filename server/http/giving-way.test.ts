import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OwnCertificate } from '../tls/own-certificate.ts';
import { RequestTurns } from './request-turns.ts';
import { serveTlsToo } from '../tls/same-port.ts';
import { type CrowdedOut, Crowding } from './crowding.ts';
import { letConnectionsGiveWay } from './giving-way.ts';
import { buildListener } from './listener.ts';

const MOST = 20;
const LIVEZ = 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n';
const HELD = 'GET /held HTTP/1.1\r\nhost: x\r\n\r\n';
const POST = 'POST /livez HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
/** Another client. */
const OTHER = '127.0.0.2';
const LONG_MS = 3_600_000;
/** After which a new connection counts as one that never asks for anything. */
const A_WHILE_MS = 250;

let app: FastifyInstance;
let sockets: Socket[];
let outcomes: CrowdedOut[];
let lines: Record<string, unknown>[];
let atServer: number;
/** In milliseconds. */
let now: number;
let asked: number;
/** What answers those who ask for it. */
let held: (() => void)[];

beforeEach(() => listen(MOST));

async function listen(mostOfNetwork: number): Promise<void> {
  [sockets, outcomes, lines, held, atServer, asked, now] = [[], [], [], [], 0, 0, 0];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const arrival = { request: LONG_MS, idle: LONG_MS, lookEvery: LONG_MS, rest: LONG_MS };
  app = await buildListener({ logger, maxConnections: MOST, closes: 'all', arrival });
  const certificate = new OwnCertificate({ host: '127.0.0.1', file: undefined, clock: Date.now, logger });
  serveTlsToo(app.server, { turns: new RequestTurns(), certificate, logger, handshakeMs: LONG_MS });
  letConnectionsGiveWay(app.server, {
    maxConnections: MOST,
    mostOfNetwork,
    crowding: new Crowding({ logger, maxConnections: MOST, counted: (what) => outcomes.push(what) }),
    clock: () => now,
  });
  app.server.prependListener('connection', () => (atServer += 1));
  app.server.prependListener('request', () => (asked += 1));
  app.get('/livez', async () => 'alive');
  app.post('/livez', async () => 'taken');
  app.get('/held', () => new Promise((resolve) => held.push(() => resolve('held'))));
  await app.listen({ host: '0.0.0.0', port: 0 });
}
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

function target(localAddress: string) {
  return { port: (app.server.address() as AddressInfo).port, host: '127.0.0.1', localAddress };
}

/** Resolves once the server has it. */
async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const before = atServer;
  const socket = connect(target(localAddress)).on('error', () => {});
  sockets.push(socket);
  await expect.poll(() => atServer, { interval: 1 }).toBe(before + 1);
  return socket;
}

async function openTls(localAddress = '127.0.0.1'): Promise<TLSSocket> {
  const socket = connectTls({ ...target(localAddress), rejectUnauthorized: false });
  sockets.push(socket.on('error', () => {}));
  await once(socket, 'secureConnect');
  return socket;
}

const times = <Item>(count: number, make: () => Promise<Item>): Promise<Item[]> =>
  Array.from({ length: count }).reduce<Promise<Item[]>>(
    async (made) => [...(await made), await make()],
    Promise.resolve([]),
  );

/** Reads an answer; undefined where the connection is closed instead. */
async function answer(socket: Socket): Promise<string | undefined> {
  const read = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => undefined)]);
  return read === undefined ? undefined : String(read[0]);
}

async function ask<Any extends Socket>(socket: Any, text = LIVEZ): Promise<Any> {
  socket.write(text);
  expect(await answer(socket)).toMatch(/^HTTP\/1.1 200 OK[^]*(alive|taken)$/);
  return socket;
}

async function askHeld<Any extends Socket>(socket: Any): Promise<Any> {
  const before = held.length;
  socket.write(HELD);
  await expect.poll(() => held.length, { interval: 1 }).toBe(before + 1);
  return socket;
}

/** Sends the headers of a request, and of its body the beginning. */
async function beginBody(text = `${POST}content-length: 9\r\n\r\n{"a"`, requests = 1): Promise<Socket> {
  const socket = await open();
  const before = asked;
  socket.write(text);
  await expect.poll(() => asked, { interval: 1 }).toBe(before + requests);
  return socket;
}

async function expectClosed(...closed: Socket[]): Promise<void> {
  for (const socket of closed) if (!socket.closed) await once(socket.resume(), 'close');
}

/** Each still gets an answer. */
async function expectOpen(...all: Socket[]): Promise<void> {
  for (const socket of all) await ask(socket);
}

it('connections that send nothing give way, the longest silent first, so that whoever asks is answered', async () => {
  const silent = await times(30, open);
  await expectClosed(...silent.slice(0, 10));
  now += A_WHILE_MS;
  for (let probe = 0; probe < 30; probe += 1) await ask(await open());
  await expectClosed(...silent.slice(10));
  expect(new Set(outcomes)).toEqual(new Set(['gave-way']));
});

it('begun requests and handshakes count as nothing sent', async () => {
  const begun = await times(MOST, () => open());
  for (const [number, socket] of begun.entries())
    socket.write(number % 2 === 0 ? 'GET /livez HT' : Buffer.of(22, 3, 1));
  now += A_WHILE_MS;
  await times(MOST, async () => ask(await open(OTHER)));
  await expectClosed(...begun);
});

it('new ones have a while to ask, and give way only to networks that have fewer', async () => {
  for (let host = 1; host < MOST; host += 1) await open(`127.0.1.${host}`);
  const idle = await ask(await open(OTHER));
  // One that has been answered gives way before those that have not come to ask.
  const next = await askHeld(await open('127.0.0.3'));
  await expectClosed(idle, await open('127.0.0.4'));
  expect(outcomes).toEqual(['gave-way', 'refused']);
  now += A_WHILE_MS - 1;
  await expectClosed(await open('127.0.0.4'));
  now += 1;
  await ask(await open('127.0.0.4'));
  expect(outcomes).toEqual(['gave-way', 'refused', 'refused', 'gave-way']);
  for (const end of held) end();
  expect(await answer(next)).toMatch(/held$/);
});

it('of a network that has more, new ones give way to others, and idle ones stay', async () => {
  const idle = await ask(await open(OTHER));
  const many = await times(MOST - 1, () => open());
  const next = await ask(await open('127.0.0.3'));
  await expectClosed(...many.slice(0, 1));
  await expectOpen(idle, next);
});

it('bodies that stay away of a network that has more give way before what is idle of others', async () => {
  const idle = await times(3, async () => ask(await open(OTHER)));
  const arriving = await times(MOST - 3, () => beginBody());
  await ask(await open('127.0.0.3'));
  await ask(await open(OTHER));
  await expectClosed(...arriving.slice(0, 2));
  await expectOpen(...idle);
});

it('of silent ones, those of the network that has most give way, so a new one comes to ask', async () => {
  const [one] = await times(1, () => open(OTHER));
  const many = await times(MOST, () => open());
  await times(3 * MOST, () => open());
  await expectClosed(...many);
  await expectOpen(...(one === undefined ? [] : [one]));
});

it('what is under way is never cut, over TLS neither; then new ones are closed', async () => {
  const busy = [
    ...(await times(MOST / 2, async () => askHeld(await open()))),
    ...(await times(MOST / 2, async () => askHeld(await openTls()))),
  ];
  await expectClosed(await open(), await open(OTHER));
  expect(outcomes).toEqual(['refused', 'refused']);
  const answers = Promise.all(busy.map(answer));
  for (const end of held) end();
  expect((await answers).every((text) => text?.endsWith('held'))).toBe(true);
  // They are idle now.
  await ask(await open(OTHER));
  expect(outcomes.at(-1)).toBe('gave-way');
});

it('a connection with one request under way is not cut when the one before was answered', async () => {
  const busy = await times(MOST, async () => askHeld(await ask(await open())));
  await expectClosed(await open(OTHER));
  const answers = Promise.all(busy.map(answer));
  for (const end of held) end();
  expect((await answers).every((text) => text?.endsWith('held'))).toBe(true);
});

it('idle ones give way to other networks until these have as many, the longest idle first', async () => {
  const idle = [
    ...(await times(MOST / 2, async () => ask(await open()))),
    ...(await times(MOST / 2, async () => ask(await openTls()))),
  ];
  const others = await times(MOST / 2, async () => ask(await open(OTHER)));
  await expectClosed(...idle.slice(0, MOST / 2));
  // From here on each network gives way to itself.
  await ask(await open(OTHER));
  await ask(await open());
  await expectClosed(...others.slice(0, 1), ...idle.slice(MOST / 2, MOST / 2 + 1));
  await expectOpen(...others.slice(1), ...idle.slice(MOST / 2 + 1));
});

it('a network that has one under way gets no other from one that has as few', async () => {
  for (let host = 1; host <= MOST; host += 1) await ask(await open(`127.0.1.${host}`));
  const newcomer = await askHeld(await open(OTHER));
  await expectClosed(await open(OTHER));
  expect(outcomes).toEqual(['gave-way', 'refused']);
  for (const end of held) end();
  expect(await answer(newcomer)).toMatch(/held$/);
});

it.each([
  ['a first request', 1, `${POST}content-length: 9\r\n\r\n{"a"`],
  ['a later request', 2, `${LIVEZ}${POST}transfer-encoding: chunked\r\n\r\n1\r\n{`],
])('connections on which the body of %s stays away give way, after idle ones', async (_which, requests, text) => {
  const idle = await ask(await open());
  const begun = await times(MOST - 1, async () => {
    const socket = await beginBody(text, requests);
    if (requests > 1) await answer(socket);
    return socket;
  });
  const first = await ask(await open(OTHER));
  await expectClosed(idle);
  expect(begun.every(({ closed }) => !closed)).toBe(true);
  await ask(await open('127.0.0.3'));
  await expectClosed(...begun.slice(0, 1));
  await expectOpen(first);
});

it('a body that has come whole, in its time, is answered', async () => {
  const slow = await open();
  slow.write(`${POST}content-length: 9\r\n\r\n{"a"`);
  await times(MOST - 1, () => open(OTHER));
  await times(MOST, () => open(OTHER));
  await ask(slow, ': 10}');
  await ask(slow);
});

it('clients that leave make room, whatever they were doing', async () => {
  for (let round = 0; round < 3; round += 1) {
    const left = [await open(), await ask(await open()), await askHeld(await open()), await askHeld(await openTls())];
    for (const socket of left) socket.destroy();
    await expectClosed(...left);
    await expect.poll(() => new Promise((resolve) => app.server.getConnections((_e, count) => resolve(count)))).toBe(0);
    for (const end of held) end();
  }
  await expectOpen(...(await times(MOST, () => open())));
  expect(outcomes).toEqual([]);
});

it('a network gets no more than it may have, but for what it gives way itself, whatever else is free', async () => {
  await app.close();
  await listen(5);
  const busy = await times(3, async () => askHeld(await open()));
  const [idle, silent] = [await ask(await open()), await open()];
  now += A_WHILE_MS;
  const [next, last] = [await askHeld(await open()), await askHeld(await open())];
  await expectClosed(silent, idle, await open());
  await expectOpen(await open(OTHER));
  for (const end of held) end();
  for (const socket of [...busy, next, last]) expect(await answer(socket)).toMatch(/held$/);
  expect(outcomes).toEqual(['gave-way', 'gave-way', 'refused']);
});

it('is logged once when it begins', async () => {
  await times(MOST + 5, () => open());
  expect(lines).toMatchObject([
    { level: 40, maxConnections: MOST, msg: expect.stringMatching(/^all connections are taken/) },
  ]);
  expect(outcomes).toHaveLength(5);
});
