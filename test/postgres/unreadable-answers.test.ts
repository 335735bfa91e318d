import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { BackendMessages } from '../../server/storage/postgres/backend-messages.ts';
import { newPostgres, type TestDatabase } from '../../server/storage/testing/databases.ts';
import type { ServerProcess } from '../support/command-line.ts';
import { installOn, type PrintedCredentials, printedCredentials } from '../support/postgres-server.ts';

/** A database, or a proxy before it, that sends what the protocol does not know. */

let database: TestDatabase;
let proxy: Server;
/** What clients are sent in place of all that the database says; undefined: what it says. */
let instead: Buffer | undefined;
/** Whether the connection goes on after that. */
let staysOpen = false;
/** How often a server has connected to listen for messages of others. */
let listened = 0;
let server: ServerProcess;
let credentials: PrintedCredentials | undefined;

beforeAll(async () => {
  database = await newPostgres(inject('postgresUrl') ?? '');
  const url = new URL(database.location.databaseUrl ?? '');
  const target = { host: url.hostname, port: Number(url.port) };
  proxy = createServer((client) => passOn(client, target)).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  url.port = String(address.port);
  server = await installOn({ ...database.location, databaseUrl: url.href }).start(['--rate-limit', '1000']);
  credentials = printedCredentials(server);
});

afterAll(async () => {
  await server.stop();
  proxy.close();
  await database.remove();
});

function passOn(client: Socket, target: { host: string; port: number }): void {
  const upstream = connect(target);
  client.pipe(upstream);
  client.on('data', (bytes: Buffer) => void (listened += bytes.includes('branchline live') ? 1 : 0));
  upstream.on('data', (bytes) => {
    if (instead === undefined) client.write(bytes);
    else if (staysOpen) client.write(instead);
    else client.end(instead);
  });
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

const ask = async (path: string): Promise<number> =>
  (await fetch(`${server.origin}${path}`, { headers: { authorization: credentials?.authorization ?? '' } })).status;

const list = () => ask('/workspaces/demo/branches/v1');

/** @param length as its header has it; left out: the right one */
function message(kind: string, body: Buffer | string, length = Buffer.byteLength(body) + 4): Buffer {
  const header = Buffer.alloc(5);
  header.write(kind, 'latin1');
  header.writeUInt32BE(length, 1);
  return Buffer.concat([header, Buffer.from(body)]);
}

const int16 = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from([value >> 8, value])));
const int32 = (...values: number[]) => int16(...values.flatMap((value) => [value >> 16, value]));
const READY = message('Z', 'I');

const UNREADABLE: [what: string, bytes: Buffer][] = [
  ['a description of -1 columns', message('T', int16(-1))],
  ['a description of columns that it does not hold', message('T', int16(32_767))],
  ['a row of -1 columns', message('D', int16(-1))],
  ['a row with more columns than it holds', message('D', int16(500))],
  [
    'a row with a value that is longer than it',
    Buffer.concat([message('D', Buffer.concat([int16(2), int32(2 ** 31 - 1)])), READY]),
  ],
  [
    'a row with a value of a negative length',
    Buffer.concat([message('D', Buffer.concat([int16(1), int32(-5)])), READY]),
  ],
  ['a row that nobody has asked for', message('D', Buffer.concat([int16(1), int32(1), Buffer.from('x')]))],
  [
    'a row with fewer columns than were described',
    Buffer.concat([
      message('T', Buffer.concat([int16(1), Buffer.from('n\0'), Buffer.alloc(18)])),
      message('D', int16(0)),
      READY,
    ]),
  ],
  [
    'a row that goes on behind its last value',
    Buffer.concat([message('T', int16(0)), message('D', Buffer.concat([int16(0), int32(-1)])), READY]),
  ],
  ['that a statement was done, which says nothing of itself', Buffer.concat([message('C', '\0'), READY])],
  ['that rows were written, and not how many', Buffer.concat([message('C', 'UPDATE\0'), READY])],
  ['that it is ready, twice', Buffer.concat([READY, READY])],
  [
    'a row under the name of a setting',
    Buffer.concat([message('S', Buffer.concat([int16(1), int32(1), Buffer.from('x')])), READY]),
  ],
  ['a copy of -1 columns', message('H', Buffer.concat([Buffer.from([0]), int16(-1)]))],
  ['a message of a gigabyte', message('D', '', 2 ** 30)],
  ['a message of a negative length', message('D', '', 2 ** 32 - 1)],
  ['a message that is shorter than its header', message('C', '', 3)],
  ['a message of no length', message('C', '', 0)],
  ['a message of an unknown kind', message('?', 'x')],
  ['an error that breaks off', message('E', 'SERROR\0MNo')],
  ['an error without an end', message('E', 'SERROR\0')],
  ['an empty error', message('E', '')],
  ['a notice without an end', message('N', 'SNOTICE\0')],
  ['another authentication', message('R', int32(99))],
  ['half a message', message('C', 'SELE', 100)],
  ['nothing but zeros', Buffer.alloc(100_000)],
  ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')],
];

describe('a server survives a database that sends', () => {
  it.each(UNREADABLE)('%s', async (_what, bytes) => {
    expect(await list()).toBe(200);
    instead = bytes;
    try {
      expect(await list()).toBe(503);
      expect(await ask('/readyz')).toBe(503);
      expect(await ask('/livez')).toBe(200);
    } finally {
      instead = undefined;
    }
    await expect.poll(() => ask('/readyz')).toBe(200);
  });

  it.each([
    ['a fatal error', message('E', 'SFATAL\0C57P01\0Mbye\0\0')],
    ['that a statement was parsed', message('1', '')],
    ['that a statement was done', message('C', 'SELECT 0\0')],
  ])('%s, again and again, on a connection that stays open', async (_what, bytes) => {
    expect(await list()).toBe(200);
    instead = bytes;
    staysOpen = true;
    try {
      const answers = await Promise.all(Array.from({ length: 20 }, list));
      expect(answers.filter((status) => status !== 503)).toEqual([]);
      expect(await ask('/livez')).toBe(200);
    } finally {
      instead = undefined;
      staysOpen = false;
    }
    await expect.poll(() => ask('/readyz'), { timeout: 10_000 }).toBe(200);
    await expect.poll(list, { timeout: 10_000 }).toBe(200);
  });
});

it('survives it where it listens for messages of other servers, too', async () => {
  instead = message('T', int16(-1));
  try {
    const before = listened;
    expect(await list()).toBe(503);
    // It connects anew a second after the connection has broken, which its next look shows.
    await expect.poll(() => listened, { timeout: 60_000 }).toBeGreaterThan(before + 1);
    expect(await ask('/livez')).toBe(200);
  } finally {
    instead = undefined;
  }
  await expect.poll(() => ask('/readyz')).toBe(200);
});

describe('what a database sends', () => {
  const read = (...chunks: Buffer[]): string[] => {
    const backend = new BackendMessages();
    const found: string[] = [];
    for (const chunk of chunks) backend.read(chunk, (one) => found.push(one.toString('latin1')));
    return found;
  };

  const SIGNED_ON = [
    message('R', int32(0)),
    message('S', 'server_version\x0015.4\0'),
    message('K', int32(1, 2)),
    READY,
  ];
  const COLUMNS = message('T', Buffer.concat([int16(1), Buffer.from('n\0'), Buffer.alloc(18)]));
  const ROW = message('D', Buffer.concat([int16(1), int32(1), Buffer.from('x')]));
  const ANSWERS = [
    [message('C', 'BEGIN\0'), READY],
    [
      message('1', ''),
      message('2', ''),
      COLUMNS,
      ROW,
      message('N', 'SNOTICE\0\0'),
      ROW,
      message('C', 'SELECT 2\0'),
      READY,
    ],
    [message('1', ''), message('2', ''), message('n', ''), message('C', 'INSERT 0 12\0'), READY],
    [message('1', ''), message('E', 'SERROR\0\0'), READY],
    [message('C', 'ROLLBACK\0'), message('A', Buffer.concat([int32(7), Buffer.from('live\0\0')])), READY],
    [COLUMNS, ROW, message('C', 'SHOW\0'), READY],
    [message('C', 'CREATE TABLE\0'), message('C', 'CREATE INDEX\0'), READY],
  ];
  const STATEMENTS = ANSWERS.flat();
  const ALL = [...SIGNED_ON, ...STATEMENTS];

  it('is cut into its messages, wherever it arrives in pieces', () => {
    const bytes = Buffer.concat(ALL);
    const want = ALL.map((one) => one.toString('latin1'));
    for (let size = 1; size <= bytes.length; size += 1) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      expect(read(...pieces)).toEqual(want);
    }
  });

  it('is refused where a message of it has the body of one and the kind of another', () => {
    const other = [...'123ACDEGHIKNRSTWZcdnst'];
    const taken = STATEMENTS.flatMap((one, at) =>
      other
        .filter((kind) => kind.codePointAt(0) !== one[0])
        .filter((kind) => isTaken(read, [...SIGNED_ON, ...STATEMENTS.with(at, changeKind(one, kind))]))
        .map((kind) => `${one.toString('latin1', 0, 1)} as ${kind}`),
    );
    // What is bound may have been parsed before, and neither of the others is read for an answer.
    expect([...new Set(taken)].toSorted()).toEqual(['1 as 2', 'N as A', 'N as S']);
  });

  it('is refused where an empty message, or one that comes at another time, stands before one', () => {
    const early = [...'123ACDEGHIKNRSTWZcdnst'].map((kind) => message(kind, ''));
    const untimely = [
      READY,
      ROW,
      message('C', 'SELECT 2\0'),
      message('K', int32(1, 2)),
      message('R', int32(0)),
      message('s', ''),
      message('I', ''),
    ];
    const taken = STATEMENTS.flatMap((one, at) =>
      [...early, ...untimely]
        .filter((extra) => isTaken(read, [...SIGNED_ON, ...STATEMENTS.toSpliced(at, 0, extra)]))
        .map((extra) => `${extra.toString('latin1', 0, 1)} before ${one.toString('latin1', 0, 1)}`),
    );
    // A server may have one row more; what is bound may have been parsed before; a text without rows may hold several statements.
    const mayBe = [
      '2 before E',
      '2 before T',
      'C before A',
      'C before C',
      'C before Z',
      'D before C',
      'D before D',
      'D before N',
      'Z before C',
    ];
    expect([...new Set(taken)].toSorted()).toEqual(mayBe);
  });

  it('is refused where a statement that was parsed, or has rows, is done twice', () => {
    const twice = ANSWERS.map((answer) => answer.flatMap((one) => (one[0] === DONE ? [one, one] : [one])));
    const taken = twice.filter((answer) => isTaken(read, [...SIGNED_ON, ...answer]));
    // An error, and texts without rows.
    expect(taken.map(([first]) => first?.toString('latin1', 0, 1))).toEqual(['C', '1', 'C', 'C']);
  });

  it('for one statement is bounded, and begins anew with the next', () => {
    const row = message('D', Buffer.concat([int16(1), int32(2 ** 24), Buffer.alloc(2 ** 24)]));
    const rows = [COLUMNS, ...Array<Buffer>(15).fill(row)];
    const done = [message('C', 'SELECT 15\0'), READY];
    expect(read(...SIGNED_ON, ...rows, ...done, ...rows)).toHaveLength(38);
    expect(() => read(...SIGNED_ON, ...rows, row, READY)).toThrow(/more than 268435456 bytes for one statement/);
  });
});

const DONE = 'C'.codePointAt(0);

function isTaken(read: (...messages: Buffer[]) => unknown, messages: Buffer[]): boolean {
  try {
    read(...messages);
    return true;
  } catch {
    return false;
  }
}

function changeKind(one: Buffer, kind: string): Buffer {
  return Buffer.concat([Buffer.from(kind), one.subarray(1)]);
}
