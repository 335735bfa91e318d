// @module-tag both-engines
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOf, eventReport } from '../support/batch.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** The rows "Paths of properties", "Event summaries", "Presence of properties" and "Volume" of docs/decisions.md, over HTTP. */

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const price = (type: 'int' | 'string') => [{ name: 'price', type }];
  await send('1.0.0', 'prod', eventReport('Paid', price('int')), eventReport('Paid', []));
  await send('1.1.0', 'prod', eventReport('Paid', price('string')), eventReport('Viewed', []));
  await send('1.1.0', 'dev', eventReport('Paid', []));
});
afterAll(() => server.close());

async function send(version: string, environment: 'dev' | 'prod', ...events: ReturnType<typeof eventReport>[]) {
  const app = { id: 'com.example.shop', name: 'Shop', version };
  const answer = await server.call({
    method: 'POST',
    path: '/inspector/batches/v1',
    as: null,
    headers: { 'api-key': server.apiKey },
    json: batchOf(events, { app, environment }),
  });
  expect(answer.json()).toMatchObject({ accepted: events.length });
}

async function report(path: string, as?: { cookie: string }) {
  const credentials = as === undefined ? {} : { as: null, headers: as };
  const answer = await server.call({ path: `${server.workspacePath}/inspector/${path}`, ...credentials });
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text);
}

const sum = (counts: number[]): number => counts.reduce((all, count) => all + count, 0);

describe('Event summaries', () => {
  it('have one entry for each name, over all app versions', async () => {
    const { events, nextCursor } = await report('event-summaries/v1');
    expect(events).toMatchObject([
      {
        eventName: 'Paid',
        count: 4,
        shapes: 3,
        sources: { names: ['android-shop'], total: 1 },
        environments: ['dev', 'prod'],
        appVersions: { newest: ['1.1.0', '1.0.0'], total: 2 },
        conflicts: 1,
      },
      { eventName: 'Viewed', count: 1, conflicts: 0 },
    ]);
    expect(sum(events[0].days)).toBe(4);
    expect(nextCursor).toBeNull();
  });

  it.each([
    ['text=VIEW', ['Viewed']],
    ['conflicting=true', ['Paid']],
    ['environment=dev', ['Paid']],
    ['appVersion=1.0.0', ['Paid']],
    ['source=other', []],
    ['eventName=Viewed', ['Viewed']],
  ])('are filtered by %s', async (query, names) => {
    const { events } = await report(`event-summaries/v1?${query}`);
    expect(events.map(({ eventName }: { eventName: string }) => eventName)).toEqual(names);
  });
});

it('Presence of properties: the share of events, with types and the app versions that brought them', async () => {
  const { count, sampled, properties } = await report('properties/v1?eventName=Paid&environment=prod');
  expect([count, sampled]).toEqual([3, false]);
  const place = { source: 'android-shop', environment: 'prod' };
  expect(properties).toMatchObject([
    {
      property: ['price'],
      presence: 2 / 3,
      count: 2,
      types: [
        { type: 'int', count: 1, seenIn: [{ ...place, appVersion: '1.0.0' }] },
        { type: 'string', count: 1, seenIn: [{ ...place, appVersion: '1.1.0' }] },
      ],
    },
  ]);
  expect(await report('properties/v1?eventName=Unseen')).toMatchObject({ count: 0, properties: [] });
});

describe('Volume', () => {
  it('counts each of the last 48 hours or 90 days, and parts of it', async () => {
    const hours = await report('volume/v1?step=hour&eventName=Paid&split=appVersion');
    expect(hours.total).toHaveLength(48);
    expect(sum(hours.total)).toBe(4);
    expect(hours.series.map((one: { name: string; counts: number[] }) => [one.name, sum(one.counts)])).toEqual([
      ['1.0.0', 2],
      ['1.1.0', 2],
    ]);
    const days = await report('volume/v1?split=environment');
    expect([days.step, days.total.length, sum(days.total)]).toEqual(['day', 90, 5]);
  });

  it('is read by viewers who are signed in', async () => {
    const { cookie } = await server.signIn('viewer');
    expect(sum((await report('volume/v1', { cookie })).total)).toBe(5);
  });
});

it('Paths of properties: each is of one property, whatever that is called', async () => {
  const sku = { name: 'sku', type: 'int' } as const;
  await send(
    '1.0.0',
    'prod',
    eventReport('Ordered', [
      { name: 'a.b', type: 'int' },
      { name: 'items', type: 'list', items: [{ type: 'object', properties: [sku] }] },
      { name: 'named', type: 'object', properties: [{ name: '[]', type: 'object', properties: [sku] }] },
    ]),
  );
  const { properties } = await report('properties/v1?eventName=Ordered');
  expect(properties.map(({ property }: { property: string[] }) => property)).toEqual([
    ['a.b'],
    ['items'],
    ['items', '[]', 'sku'],
    ['named'],
    ['named', String.raw`\[]`],
    ['named', String.raw`\[]`, 'sku'],
  ]);
});
