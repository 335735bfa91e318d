import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import contract from '../../generated/contract.json' with { type: 'json' };
import { TAKEN } from './answer.ts';
import { libraryCases } from './cases/index.ts';
import { REAL_CLOCK } from './clock.ts';
import { type Listener, listen } from './listener.ts';
import { Recording } from './recording.ts';
import { toReport } from './report.ts';

const { example } = contract.paths['/inspector/batches/v1'].post.requestBody.content['application/json'];
const PATH = '/inspector/batches/v1';
const MEBIBYTE = 1_048_576;

let recording: Recording;
let listener: Listener;
beforeEach(async () => {
  recording = new Recording(REAL_CLOCK, 'hostile');
  listener = await listenFor(3_600_000);
});

function listenFor(patience: number): Promise<Listener> {
  return listen(recording, { script: () => TAKEN, clock: REAL_CLOCK, patience });
}

/** One that requests have to reach as a whole within a moment. */
async function listenImpatiently(): Promise<void> {
  await listener.close();
  listener = await listenFor(300);
}

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener.close();
});

function opened(): Socket {
  const socket = connect(Number(new URL(listener.endpoint).port), '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  return socket.resume();
}

/** Whatever ends it: an error comes before the close. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.on('close', () => resolve()));
}

async function post(body: string | Buffer, headers: Record<string, string> = {}): Promise<number> {
  const outgoing = request(listener.endpoint + PATH, {
    method: 'POST',
    headers: { 'api-key': 'key-of-the-app', 'content-type': 'application/json', ...headers },
    agent: false,
  });
  const [response] = await once(outgoing.end(body), 'response');
  response.resume();
  await once(response, 'close');
  return response.statusCode;
}

/** What fails, by case, once so many requests have come. */
async function failures(requests: number): Promise<Record<string, readonly string[]>> {
  await expect.poll(() => recording.requests.length).toBeGreaterThanOrEqual(requests);
  const run = {
    target: 'hostile',
    startedAt: new Date(),
    profile: true,
    recordings: [recording],
    keys: ['key-of-the-app'],
  };
  const { results } = toReport(libraryCases, run);
  const failed = results.filter(({ state }) => state === 'fail');
  for (const { exchanges } of failed) expect(exchanges.length).toBeGreaterThan(0);
  return Object.fromEntries(failed.map(({ id, problems = [] }) => [id, problems]));
}

const batchWith = (more: object): string => JSON.stringify({ ...example, ...more });
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('the sink takes from a hostile client', () => {
  it('a body that has no end', async () => {
    const socket = opened();
    socket.write(`POST ${PATH} HTTP/1.1\r\nhost: a\r\napi-key: k\r\ntransfer-encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'x'.repeat(0x1_00_00)}\r\n`;
    const end = closed(socket);
    for (let written = 0; !socket.closed && written < 64 * MEBIBYTE; written += chunk.length) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => {}), end]);
    }
    await end;
    expect(await failures(1)).toMatchObject({
      'wire/size': ['A body has more than 2097152 bytes; at most 1048576 are allowed.'],
    });
  });

  it('gzip that becomes 128 mebibytes', async () => {
    const bomb = gzipSync(Buffer.alloc(128 * MEBIBYTE));
    expect(await post(bomb, { 'content-encoding': 'gzip' })).toBe(200);
    expect(await failures(1)).toEqual({
      'wire/size': ['A body has more than 2097152 bytes; at most 1048576 are allowed.'],
    });
  });

  it('a body that comes too slowly', async () => {
    await listenImpatiently();
    const socket = opened();
    socket.write(`POST ${PATH} HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"a`);
    await closed(socket);
    expect(await failures(1)).toEqual({ 'wire/envelope': ['A request broke off after 3 bytes of its body.'] });
  });

  it('headers that do not end', async () => {
    await listenImpatiently();
    const socket = opened();
    socket.write(`POST ${PATH} HTTP/1.1\r\nhost: a\r\n`);
    await closed(socket);
    expect(Object.keys(await failures(1))).toEqual(['wire/path']);
  });

  it.each([
    ['what is no HTTP', 'HELO sink\r\n\r\n'],
    ['TLS', Buffer.from('16030100f8010000f403', 'hex')],
    ['headers of a mebibyte', `POST ${PATH} HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(MEBIBYTE)}\r\n\r\n`],
  ])('%s', async (_, bytes) => {
    const socket = opened();
    socket.write(bytes);
    await closed(socket);
    expect(await failures(1)).toEqual({
      'wire/path': ['What was sent is no request of HTTP; the endpoint is "http", not "https".'],
    });
  });

  it('connections that are opened and left, and others that are reset', async () => {
    for (let left = 3_000; left > 0; left -= 1) {
      const socket = opened();
      if (left % 2 === 0) socket.on('connect', () => socket.resetAndDestroy());
    }
    await expect.poll(() => sockets.every(({ connecting }) => !connecting)).toBe(true);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect.poll(() => post(JSON.stringify(example)).catch(() => 0)).toBe(200);
    expect(await failures(1)).toEqual({});
  });

  it('JSON that is nested too deep to be walked through', async () => {
    const deep = nested(200_000);
    await post(`{"events":[{"eventName":"a","messageId":"b","schema":${deep}}]}`);
    await post(`{"library":${deep},"events":[]}`);
    expect(await failures(2)).toEqual({ 'wire/envelope': ['The body is no batch: a JSON object with "events".'] });
  });

  it('a mebibyte of events that are none', async () => {
    await post(batchWith({ events: Array.from({ length: 300_000 }, () => ({})) }));
    await post(batchWith({ events: Array.from({ length: 500_000 }, () => 0) }));
    const { 'wire/envelope': envelope } = await failures(2);
    expect(envelope).toEqual(['"/events" must NOT have more than 1000 items.']);
  });

  it('names and URLs of any length, of which the report shows the beginning', async () => {
    const name = 'n'.repeat(900_000);
    await post(batchWith({ device: name, [name]: 1 }));
    const { 'wire/envelope': problems = [] } = await failures(1);
    expect(problems.map(({ length }) => length <= 1_000)).toEqual(problems.map(() => true));
  });

  it('more than anybody looks at, and says when', async () => {
    const body = batchWith({ device: 'd'.repeat(MEBIBYTE) });
    for (let isFull = false; !isFull; isFull = recording.isFull) await post(body);
    await recording.full;
    const { length } = recording.requests;
    expect(await post(body)).toBe(503);
    expect(recording.requests).toHaveLength(length);
    expect(Object.keys(await failures(length))).toContain('wire/size');
  });
});

it('does not take for a broken request what is broken off by the end of the app', async () => {
  const socket = opened();
  socket.write(`POST ${PATH} HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"a`);
  recording.isInterrupted = true;
  socket.destroy();
  expect(await post(JSON.stringify(example))).toBe(200);
  expect(recording.requests).toHaveLength(1);
});
