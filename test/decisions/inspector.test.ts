// @module-tag both-engines
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOf, eventReport } from '../support/batch.ts';
import { expectError } from '../support/expect-error.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** The rows of docs/decisions.md, "Inspector", over HTTP. */

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ shapeLimit: 40 });
});
afterAll(() => server.close());

const ingest = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  server.call({
    method: 'POST',
    path: '/inspector/batches/v1',
    as: null,
    body,
    headers: { 'content-type': 'application/json', 'api-key': server.apiKey, ...headers },
  });

const send = (batch: unknown) => ingest(JSON.stringify(batch));

async function receipt(batch: unknown) {
  const answer = await send(batch);
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text);
}

async function report(kind: string, query = '') {
  const answer = await server.call({ path: `${server.workspacePath}/inspector/${kind}/v1${query}` });
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text);
}

const price = (type: 'int' | 'float' | 'string') => [{ name: 'price', type }];

describe('Values', () => {
  it.each([
    ['a property', { schema: [{ name: 'price', type: 'int', value: 42 }] }],
    ['an event', { properties: { price: 42 } }],
  ])('a field for a value is refused in %s', async (_where, change) => {
    const bad = { ...eventReport('With Value', price('int')), ...change };
    expect(await receipt(batchOf([bad]))).toMatchObject({
      accepted: 0,
      rejected: [{ index: 0, messageId: bad.messageId }],
    });
  });

  it('an unknown field of the envelope is 400', async () => {
    expectError(await send({ ...batchOf([eventReport('X', [])]), user: 'ada' }), 400, /user/);
  });
});

describe('API key', () => {
  it('is needed, and can only ingest', async () => {
    const headers = { 'content-type': 'application/json' };
    const nobody = await server.call({ method: 'POST', path: '/inspector/batches/v1', as: null, body: '{', headers });
    expectError(nobody, 401, 'Unauthorized');
    expect(nobody.headers['www-authenticate']).toBe('ApiKey realm="Branchline Inspector"');
    for (const path of ['/branches/v1', '/branches/export/v1', '/inspector/events/v1']) {
      const call = { path: `${server.workspacePath}${path}`, as: null, headers: { 'api-key': server.apiKey } };
      expectError(await server.call(call), 401, 'Unauthorized');
    }
  });

  it('a changed one is refused', async () => {
    for (const key of [
      `${server.apiKey}x`,
      server.apiKey.slice(0, -1),
      server.apiKey.replace('shop', 'demo'),
      'x',
      '',
    ]) {
      expectError(await ingest('{}', { 'api-key': key }), 401, 'Unauthorized');
    }
  });

  it('the distinct shapes of a source and app version are capped; known ones still count', async () => {
    const events = Array.from({ length: 50 }, (_, i) => eventReport(`Capped ${i}`, []));
    const app = { id: 'a', name: 'A', version: 'capped' };
    const { accepted, rejected } = await receipt(batchOf(events, { app }));
    expect(accepted).toBe(40);
    expect(rejected).toHaveLength(10);
    expect(rejected[0].reason).toMatch(/40/);
    expect(await receipt(batchOf([eventReport('Capped 0', [])], { app }))).toMatchObject({ accepted: 1, rejected: [] });
  });
});

describe('Bad event', () => {
  const deep = (levels: number): unknown =>
    levels === 0 ? { name: 'x', type: 'int' } : { name: 'x', type: 'object', properties: [deep(levels - 1)] };

  it.each<[string, unknown]>([
    ['nothing', null],
    ['no object', 'event'],
    ['no message id', { ...eventReport('A', []), messageId: undefined }],
    ['a message id that is no UUID', { ...eventReport('A', []), messageId: 'x' }],
    ['no name', eventReport('', [])],
    ['too long a name', eventReport('x'.repeat(1_025), [])],
    ['an unknown type', eventReport('A', [{ name: 'a', type: 'date' as 'int' }])],
    ['a list without its items', eventReport('A', [{ name: 'a', type: 'list' }])],
    ['properties of an int', eventReport('A', [{ name: 'a', type: 'int', properties: [] }])],
    [
      'one name twice',
      eventReport('A', [
        { name: 'a', type: 'int' },
        { name: 'a', type: 'string' },
      ]),
    ],
    ['too deep', { ...eventReport('A', []), schema: [deep(11)] }],
    [
      'too many properties',
      eventReport(
        'A',
        Array.from({ length: 501 }, (_, i) => ({ name: `p${i}`, type: 'int' })),
      ),
    ],
    [
      'too many properties in all',
      eventReport('A', [
        {
          name: 'o',
          type: 'object',
          properties: Array.from({ length: 300 }, (_, i) => ({ name: `p${i}`, type: 'int' })),
        },
        {
          name: 'q',
          type: 'object',
          properties: Array.from({ length: 300 }, (_, i) => ({ name: `p${i}`, type: 'int' })),
        },
      ]),
    ],
    ['a local time', { ...eventReport('A', []), observedAt: '2026-01-02T03:04:05' }],
  ])('is refused by itself with a reason, the others are kept: %s', async (_what, bad) => {
    const result = await receipt(batchOf([eventReport('Good', []), bad, eventReport('Good', [])]));
    expect(result).toMatchObject({ accepted: 2, duplicates: 0, rejected: [{ index: 1 }] });
    expect(result.rejected[0].reason).toMatch(/^[A-Z“"].*\.$/);
    expect(result.rejected[0].reason.length).toBeLessThan(400);
  });

  it('at the limits an event is good', async () => {
    const events = [
      { ...eventReport('A', []), schema: [deep(9)] },
      eventReport('x'.repeat(1_024), []),
      eventReport(
        'A',
        Array.from({ length: 500 }, (_, i) => ({ name: `p${i}`, type: 'int' })),
      ),
    ];
    expect(await receipt(batchOf(events))).toMatchObject({ accepted: 3, rejected: [] });
  });

  it('bounds of the batch hold for the whole of it', async () => {
    expectError(await send(batchOf([])), 400, /events/);
    expectError(await send(batchOf(Array.from({ length: 1_001 }, () => ({})))), 400, /events/);
    expectError(await send({ ...batchOf([{}]), environment: 'production' }), 400, /environment/);
  });
});

describe('Duplicates', () => {
  it('a batch sent twice counts once', async () => {
    const batch = batchOf([eventReport('Twice', price('int')), eventReport('Twice', price('int'))]);
    expect(await receipt(batch)).toMatchObject({ accepted: 2, duplicates: 0 });
    expect(await receipt(batch)).toMatchObject({ accepted: 0, duplicates: 2 });
    expect(await report('events', '?eventName=Twice')).toMatchObject({ events: [{ count: 2, shapes: 1 }] });
  });

  it('an event sent again in another batch, beside new ones, counts once', async () => {
    const again = eventReport('Again', []);
    await receipt(batchOf([again]));
    const second = batchOf([again, eventReport('Again', []), { ...again, messageId: again.messageId.toUpperCase() }]);
    expect(await receipt(second)).toMatchObject({ accepted: 1, duplicates: 2, rejected: [] });
    expect(await report('events', '?eventName=Again')).toMatchObject({ events: [{ count: 2 }] });
  });

  it.each([
    ['2026-01-02T03:04:01Z', '2026-01-02T23:00:00Z', 1],
    ['2026-01-02T03:04:01Z', '2026-01-05T03:04:01Z', 2],
  ])('an id that comes with %s and then with %s counts %i times', async (first, second, count) => {
    const event = { ...eventReport(`Of ${second}`, []), observedAt: first };
    await receipt(batchOf([event]));
    await receipt(batchOf([{ ...event, observedAt: second }]));
    const eventName = encodeURIComponent(event.eventName);
    expect(await report('events', `?eventName=${eventName}`)).toMatchObject({ events: [{ count }] });
  });

  it('holds for batches that arrive at once', async () => {
    const batch = batchOf([eventReport('At Once', [])]);
    const receipts = await Promise.all(Array.from({ length: 10 }, () => receipt(batch)));
    expect(receipts.map(({ accepted }) => accepted).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });
});

describe('Ids of shapes', () => {
  it('an id that a report gives stands for its schema, and an unknown one is asked for again', async () => {
    await receipt(batchOf([eventReport('By Id', price('float'))]));
    const { shapes } = await report('shapes', '?eventName=By%20Id');
    const { schema: _, ...rest } = eventReport('By Id', []);
    const { shapeId } = shapes[0];
    expect(await receipt(batchOf([{ ...rest, shapeId }]))).toMatchObject({ accepted: 1, unknownShapeIds: [] });
    const unknownShapeId = shapeId.toUpperCase();
    const { messageId } = eventReport('By Id', []);
    const unknown = { ...rest, messageId, shapeId: unknownShapeId };
    expect(await receipt(batchOf([unknown]))).toMatchObject({ accepted: 0, unknownShapeIds: [unknownShapeId] });
    expect(await receipt(batchOf([{ ...rest, messageId, schema: price('float') }]))).toMatchObject({ accepted: 1 });
    const { shapes: counted } = await report('shapes', '?eventName=By%20Id');
    expect(counted).toMatchObject([{ shapeId, count: 3 }]);
  });

  it('an event has either an id or a schema', async () => {
    const both = { ...eventReport('Both', []), shapeId: 'b4xbP5sWFXquvWeFOUk6CjKHgkQ19BYHqyhM6Al7DiU' };
    const { schema: _, ...neither } = eventReport('Neither', []);
    const { rejected } = await receipt(batchOf([both, neither]));
    expect(rejected.map(({ reason }: { reason: string }) => reason)).toEqual([
      'The field "schema" must not be there.',
      'The item lacks the field "schema".',
    ]);
  });
});

describe('gzip', () => {
  const zip = (text: string) => gzipSync(text);
  const zipped = { 'content-encoding': 'gzip' };

  it('is taken', async () => {
    const answer = await ingest(zip(JSON.stringify(batchOf([eventReport('Zipped', [])]))), zipped);
    expect(answer.json()).toMatchObject({ accepted: 1 });
  });

  it('a bomb is 413, and costs no more than the bound', async () => {
    const bomb = zip(`{"batchId":"${'0'.repeat(512 * 1_024 * 1_024 - 100)}"}`);
    expect(bomb.length).toBeLessThan(1_048_576);
    const before = process.memoryUsage().rss;
    expectError(await ingest(bomb, zipped), 413);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_024 * 1_024);
  });

  it('a body of up to 100 members is taken, one of more is 400', async () => {
    const body = (empty: number) => {
      const batch = zip(JSON.stringify(batchOf([eventReport('Zipped In Parts', [])])));
      return Buffer.concat([...Array.from({ length: empty }, () => zip('')), batch]);
    };
    expect((await ingest(body(99), zipped)).json()).toMatchObject({ accepted: 1 });
    expectError(await ingest(body(100), zipped), 400, 'The body has too many gzip members.');
  });

  it('what is no gzip is 400, another encoding 415', async () => {
    expectError(await ingest('{}', zipped), 400, /gzip/);
    expectError(await ingest(zip('{}').subarray(0, 15), zipped), 400, /gzip/);
    expectError(await ingest('{}', { 'content-encoding': 'br' }), 415);
  });
});

it('First and last seen, counts, shapes and type conflicts are readable, by source, environment and app version', async () => {
  const app = (version: string) => ({ id: 'a', name: 'A', version });
  await receipt(batchOf([eventReport('Paid', price('int')), eventReport('Paid', price('int'))], { app: app('1.0') }));
  await receipt(batchOf([eventReport('Paid', price('float'))], { app: app('2.0'), environment: 'staging' }));

  const { events } = await report('events', '?eventName=Paid');
  const seen = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const common = { eventName: 'Paid', source: 'android-shop', shapes: 1, firstSeen: seen, lastSeen: seen };
  expect(events).toHaveLength(2);
  expect(events).toContainEqual({ ...common, environment: 'prod', appVersion: '1.0', count: 2 });
  expect(events).toContainEqual({ ...common, environment: 'staging', appVersion: '2.0', count: 1 });

  const { shapes } = await report('shapes', '?eventName=Paid&environment=staging');
  expect(shapes).toEqual([expect.objectContaining({ schema: price('float'), count: 1, appVersion: '2.0' })]);

  const { conflicts } = await report('conflicts', '?eventName=Paid');
  expect(conflicts).toEqual([
    {
      eventName: 'Paid',
      property: ['price'],
      types: expect.arrayContaining([
        { type: 'int', shapes: 1, seenIn: [{ source: 'android-shop', environment: 'prod', appVersion: '1.0' }] },
        { type: 'float', shapes: 1, seenIn: [{ source: 'android-shop', environment: 'staging', appVersion: '2.0' }] },
      ]),
    },
  ]);
  expect((await report('conflicts', '?eventName=Paid&appVersion=1.0')).conflicts).toEqual([]);
  expect((await report('events', '?eventName=Paid&source=other')).events).toEqual([]);
});

it('pages follow each other without gaps or repeats', async () => {
  const app = { id: 'a', name: 'A', version: 'pages' };
  await receipt(
    batchOf(
      Array.from({ length: 25 }, (_, i) => eventReport(`Page ${i}`, [])),
      { app },
    ),
  );
  const names: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = `?appVersion=pages&limit=10${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await report('events', query);
    names.push(...page.events.map(({ eventName }: { eventName: string }) => eventName));
    cursor = page.nextCursor;
  }
  expect(names.toSorted()).toEqual(Array.from({ length: 25 }, (_, i) => `Page ${i}`).toSorted());
  const wrong = await server.call({ path: `${server.workspacePath}/inspector/events/v1?cursor=nonsense` });
  expectError(wrong, 400, /cursor/i);
});

it('a body that never ends is cut off at the bound', async () => {
  const { hostname, port } = new URL(server.origin);
  const socket = connect({ host: hostname, port: Number(port) });
  const head = `POST /inspector/batches/v1 HTTP/1.1\r\nhost: x\r\napi-key: ${server.apiKey}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
  socket.write(head);
  const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
  for (let i = 0; i < 20; i += 1) socket.write(chunk);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 413 /);
  socket.destroy();
});
