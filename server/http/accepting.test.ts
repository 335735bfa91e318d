import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptFirst, type AcceptOptions } from './accepting.ts';
import { LITTLE } from './connection-rates.ts';
import { type CrowdedOut, Crowding } from './crowding.ts';
import { RequestTurns, serveInTurns } from './request-turns.ts';

const ATTACKER = '127.0.0.2';
const OTHER = '127.0.0.3';
const PROXY = '127.0.0.4';

let server: ReturnType<typeof createServer>;
let accepted: number;
let outcomes: CrowdedOut[];
/** In milliseconds. */
let now: number;
/** How many wait, as the server is told. */
let queue: number;

beforeEach(() => {
  [accepted, outcomes, now, queue] = [0, [], 0, 0];
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function listen(options: Partial<AcceptOptions> = {}): Promise<void> {
  server = createServer((_request, response) => response.end(String(accepted)));
  // Of a clock that stands still: nothing is postponed for too long.
  const turns = new RequestTurns({ clock: () => 0, nextTurn: setImmediate });
  serveInTurns(server, { turns, shareOf: () => ({ holder: 'one', part: '' }) });
  const counted = (outcome: CrowdedOut): unknown => outcomes.push(outcome);
  const crowding = new Crowding({ logger: pino({ level: 'silent' }), maxConnections: 1_000, counted, later: () => {} });
  acceptFirst(server, { waiting: [turns], crowding, isTrusted: (address) => address === PROXY, ...options });
  server.on('connection', () => (accepted += 1));
  await once(server.listen(0, '0.0.0.0'), 'listening');
}

/** Resolves with what is answered, which is nothing where the connection is closed as it comes. */
async function ask(localAddress: string, headers = ''): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  socket.write(`GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`);
  return text(socket).catch(() => '');
}

/** A hundred at a time. */
async function askOften(localAddress: string, count: number): Promise<string[]> {
  const answers: string[] = [];
  while (answers.length < count) {
    const length = Math.min(100, count - answers.length);
    answers.push(...(await Promise.all(Array.from({ length }, () => ask(localAddress)))));
  }
  return answers;
}

it('accepts the connections that wait before it serves', async () => {
  await listen();
  const answers = await askOften('127.0.0.1', 50);
  expect(answers.map((answer) => answer.slice(-2))).toEqual(Array.from({ length: 50 }, () => '50'));
});

it('has all work wait where some wait to be accepted, until none does', async () => {
  const postponed: string[] = [];
  await listen({
    clock: () => now,
    countQueue: () => queue,
    waiting: [{ postpone: (what) => postponed.push(what) }],
  });
  await askOften('127.0.0.1', 100);
  expect(new Set(postponed.splice(0))).toEqual(new Set(['new']));
  for (queue of [8, 9, 1, 0, 8]) {
    now += 10;
    await ask('127.0.0.1');
  }
  expect(postponed).toEqual(['new', 'all', 'all', 'new', 'new']);
});

/** Connects as often as told, and leaves at once. */
const CONNECT_AND_LEAVE = `
const [port, count] = process.argv.slice(1).map(Number);
for (let one = 0; one < count; one += 1) {
  const socket = require('node:net').connect(port, '127.0.0.1', () => socket.resetAndDestroy());
}`;

it('ends those whose clients have left before they are accepted, and counts them among those that come', async () => {
  const postponed: string[] = [];
  await listen({ waiting: [{ postpone: (what) => postponed.push(what) }] });
  const open: boolean[] = [];
  server.on('connection', ({ destroyed }) => open.push(!destroyed));
  const { port } = server.address() as AddressInfo;
  // Until this process has ended, nothing is accepted.
  execFileSync(process.execPath, ['-e', CONNECT_AND_LEAVE, String(port), '20']);
  await expect.poll(() => open).toEqual(Array.from({ length: 20 }, () => false));
  expect(postponed).toHaveLength(20);
});

describe('where more come than can be accepted', () => {
  beforeEach(() => listen({ clock: () => now, countQueue: () => queue }));

  /** The queue has been long for a while, with that many of the attacker's in it, and one of another. */
  async function crowd(): Promise<void> {
    queue = LITTLE.count;
    await askOften(ATTACKER, 120);
    now += 10;
    await ask(OTHER);
    now += 250;
    await askOften(ATTACKER, LITTLE.count - 1);
    expect(outcomes, 'of a burst').toEqual([]);
  }

  it('closes new ones of the network from which most come, and serves others', async () => {
    await crowd();
    expect(await ask(OTHER)).toContain('200 OK');
    expect(await askOften(ATTACKER, 20)).toEqual(Array.from({ length: 20 }, () => ''));
    expect(await ask(OTHER)).toContain('200 OK');
    expect(new Set(outcomes)).toEqual(new Set(['turned-away']));
  });

  it('does so until few wait', async () => {
    await crowd();
    expect(await ask(ATTACKER)).toBe('');
    queue = 33;
    now += 10;
    expect(await ask(ATTACKER)).toBe('');
    queue = 32;
    now += 10;
    expect(await ask(ATTACKER)).toContain('200 OK');
    queue = 256;
    now += 10;
    expect(await ask(ATTACKER)).toContain('200 OK');
    queue = 257;
    now += 10;
    expect(await ask(ATTACKER)).toBe('');
  });

  it('takes it for another burst when few have waited meanwhile', async () => {
    queue = 300;
    await askOften(ATTACKER, 120);
    now += 10;
    await ask(ATTACKER);
    queue = 0;
    now += 250;
    await askOften(ATTACKER, LITTLE.count);
    queue = 300;
    now += 10;
    expect(await ask(ATTACKER)).toContain('200 OK');
  });

  it('takes it for another burst when nobody was turned away for a second', async () => {
    await crowd();
    expect(await ask(ATTACKER)).toBe('');
    queue = 0;
    now += 500;
    await askOften(ATTACKER, 120);
    now += 500;
    await askOften(ATTACKER, 120);
    queue = 1_000;
    now += 10;
    expect(await ask(ATTACKER)).toContain('200 OK');
  });

  it('closes none of a proxy that hands on the requests of others', async () => {
    await ask(PROXY, 'x-forwarded-for: 192.0.2.1\r\n');
    queue = 300;
    await askOften(PROXY, 120);
    now += 10;
    await ask(PROXY);
    now += 250;
    await askOften(PROXY, LITTLE.count);
    expect(await askOften(PROXY, 20)).not.toContain('');
    expect(outcomes).toEqual([]);
  });

  it('believes nobody else to be a proxy', async () => {
    await ask(ATTACKER, 'x-forwarded-for: 192.0.2.1\r\n');
    await crowd();
    expect(await ask(ATTACKER)).toBe('');
  });
});
