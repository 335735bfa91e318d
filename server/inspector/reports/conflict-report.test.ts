// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { typeConflicts } from './conflict-report.ts';
import type { EventSchema } from '../event-schema.ts';
import { batch, event, KEY, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { readsInTurns } from '../testing/reads-in-turns.ts';

interface Seen {
  schema: EventSchema;
  eventName?: string;
  source?: string;
  version?: string;
  environment?: 'dev' | 'staging' | 'prod';
}

async function see(storage: Storage, ...all: Seen[]): Promise<void> {
  const ingest = openIngest({ storage });
  for (const { source = 'shop', version = '1.0', environment = 'prod', ...given } of all) {
    await ingest.take({ ...KEY, source }, batch([event(given)], { version, environment }));
  }
}

const price = (type: 'int' | 'float' | 'string', ...more: EventSchema): EventSchema => [
  { name: 'price', type },
  ...more,
];

test('a property with two types is listed with both, the most frequent first, and where each was seen', async ({
  storage,
}) => {
  await see(
    storage,
    { schema: price('string'), version: '1.0' },
    { schema: price('float'), version: '1.1' },
    { schema: price('float', { name: 'other', type: 'int' }), version: '1.1' },
    { schema: price('float'), version: '2.0', environment: 'dev' },
  );
  expect(await typeConflicts(storage, 'demo', {})).toEqual({
    entries: [
      {
        eventName: 'Viewed',
        property: ['price'],
        types: [
          {
            type: 'float',
            shapes: 3,
            seenIn: [
              { source: 'shop', environment: 'dev', appVersion: '2.0' },
              { source: 'shop', environment: 'prod', appVersion: '1.1' },
            ],
          },
          { type: 'string', shapes: 1, seenIn: [{ source: 'shop', environment: 'prod', appVersion: '1.0' }] },
        ],
      },
    ],
    nextCursor: null,
  });
});

test('properties of objects and of elements of lists are found by their paths', async ({ storage }) => {
  const deep = (type: 'int' | 'string'): EventSchema => [
    { name: 'cart', type: 'list', items: [{ type: 'object', properties: [{ name: 'id', type }] }] },
    { name: 'user', type: 'object', properties: [{ name: 'age', type }] },
  ];
  await see(storage, { schema: deep('int') }, { schema: deep('string') });
  const page = await typeConflicts(storage, 'demo', {});
  expect(page?.entries.map(({ property }) => property)).toEqual([
    ['cart', '[]', 'id'],
    ['user', 'age'],
  ]);
});

test('a property that is called as the elements of a list are written is not taken for them', async ({ storage }) => {
  const inside = (type: 'int' | 'float' | 'string'): EventSchema => [{ name: 'id', type }];
  await see(
    storage,
    { schema: [{ name: 'cart', type: 'list', items: [{ type: 'object', properties: inside('int') }] }] },
    {
      schema: [
        { name: 'cart', type: 'object', properties: [{ name: '[]', type: 'object', properties: inside('string') }] },
      ],
    },
    {
      schema: [
        { name: 'cart', type: 'object', properties: [{ name: '[]', type: 'object', properties: inside('float') }] },
      ],
    },
  );
  const page = await typeConflicts(storage, 'demo', {});
  expect(page?.entries.map(({ property, types }) => [property, types.map(({ type }) => type).toSorted()])).toEqual([
    [
      ['cart', '\\[]', 'id'],
      ['float', 'string'],
    ],
    [['cart'], ['list<object>', 'object']],
  ]);
});

test('events of different names do not conflict, nor do those of other workspaces', async ({ storage }) => {
  await see(storage, { schema: price('int') }, { schema: price('string'), eventName: 'Bought' });
  await openIngest({ storage }).take({ ...KEY, workspaceId: 'other' }, batch([event({ schema: price('string') })]));
  expect((await typeConflicts(storage, 'demo', {}))?.entries).toEqual([]);
});

test('the same shape again changes no count', async ({ storage }) => {
  await see(storage, { schema: price('int') }, { schema: price('int') }, { schema: price('string') });
  const page = await typeConflicts(storage, 'demo', {});
  expect(page?.entries[0]?.types.map(({ type, shapes }) => [type, shapes])).toEqual([
    ['int', 1],
    ['string', 1],
  ]);
});

describe('filters', () => {
  const seen: Seen[] = [
    { schema: price('int'), version: '1.0' },
    { schema: price('string'), version: '2.0' },
    { schema: price('float'), version: '2.0', source: 'other' },
    { schema: price('int'), version: '2.0', environment: 'dev' },
  ];

  test.for<[filter: Parameters<typeof typeConflicts>[2], types: string[]]>([
    [{}, ['int', 'float', 'string']],
    [{ appVersion: '1.0' }, []],
    [{ appVersion: '2.0' }, ['float', 'int', 'string']],
    [{ source: 'shop' }, ['int', 'string']],
    [{ source: 'other' }, []],
    [{ source: 'shop', appVersion: '2.0' }, ['int', 'string']],
    [{ source: 'shop', appVersion: '2.0', environment: 'prod' }, []],
    [{ environment: 'prod' }, ['float', 'int', 'string']],
    [{ environment: 'staging' }, []],
    [{ eventName: 'Viewed' }, ['int', 'float', 'string']],
    [{ eventName: 'Bought' }, []],
  ])('%j compares only what it leaves', async ([filter, types], { storage }) => {
    await see(storage, ...seen);
    const page = await typeConflicts(storage, 'demo', filter);
    expect(page?.entries.flatMap((conflict) => conflict.types.map(({ type }) => type))).toEqual(types);
  });
});

test('names at most 20 places, and counts all', async ({ storage }) => {
  const sources = Array.from({ length: 25 }, (_, index) => ({ schema: price('int'), source: `app ${index}` }));
  await see(storage, { schema: price('string') }, ...sources);
  const [conflict] = (await typeConflicts(storage, 'demo', {}))?.entries ?? [];
  expect(conflict?.types.map(({ shapes, seenIn }) => [shapes, seenIn.length])).toEqual([
    [25, 20],
    [1, 1],
  ]);
});

test('further versions with the same shape count it once, and name the version that brought it', async ({
  storage,
}) => {
  const versions = Array.from({ length: 25 }, (_, index) => ({ schema: price('int'), version: `1.${index}` }));
  await see(
    storage,
    ...versions,
    { schema: price('string'), version: '2.0' },
    { schema: price('int'), version: '2.0' },
  );
  const [conflict] = (await typeConflicts(storage, 'demo', {}))?.entries ?? [];
  expect(conflict?.types).toEqual([
    { type: 'int', shapes: 1, seenIn: [{ source: 'shop', environment: 'prod', appVersion: '1.0' }] },
    { type: 'string', shapes: 1, seenIn: [{ source: 'shop', environment: 'prod', appVersion: '2.0' }] },
  ]);
  const inVersion = await typeConflicts(storage, 'demo', { appVersion: '2.0' });
  expect(inVersion?.entries[0]?.types.map(({ type }) => type)).toEqual(['int', 'string']);
  expect(await typeConflicts(storage, 'demo', { appVersion: '1.7' })).toEqual({ entries: [], nextCursor: null });
});

test('page by page gives every conflict once, and takes no cursor of another filter', async ({ storage }) => {
  const names = Array.from({ length: 7 }, (_, index) => `p${index}`);
  for (const type of ['int', 'string'] as const) await see(storage, { schema: names.map((name) => ({ name, type })) });
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await typeConflicts(storage, 'demo', { limit: 3, cursor });
    found.push(...(page?.entries.flatMap(({ property }) => property) ?? []));
    cursor = page?.nextCursor ?? undefined;
    if (cursor !== undefined) expect(await typeConflicts(storage, 'demo', { cursor, source: 'shop' })).toBeUndefined();
  } while (cursor !== undefined);
  expect(found).toEqual(names);
});

test('a page ends early where its conflicts are large as they are sent, and the next goes on', async ({ storage }) => {
  // As JSON each character takes six bytes.
  const names = Array.from({ length: 60 }, (_, at) => `${at}`.padStart(1_000, '\u0001')).toSorted();
  const ingest = openIngest({ storage });
  for (const type of ['int', 'string'] as const) {
    const nested = (name: string): EventSchema => [
      { name: '\u0001'.repeat(1_000), type: 'object', properties: [{ name, type }] },
    ];
    await ingest.take(KEY, batch(names.map((name) => event({ schema: nested(name) }))));
  }
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const pages: Awaited<ReturnType<typeof typeConflicts>>[] = [];
    const turns = await readsInTurns(storage, async () => {
      pages.push(await typeConflicts(storage, 'demo', { limit: 200, cursor }));
    });
    const [page] = pages;
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(300_000);
    // The backslashes of the stored JSON are doubled in that of the rows.
    expect(Math.max(...turns.map(({ characters }) => characters))).toBeLessThan(350_000);
    found.push(...(page?.entries.map(({ property }) => property.at(-1) ?? '') ?? []));
    cursor = page?.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(found.toSorted()).toEqual(names);
});

test('one conflict of many with long names is found without the names of the others', async ({ storage }) => {
  const properties = Array.from({ length: 40 }, (_, at) => `${at}`.padStart(1_000, 'x'));
  for (const type of ['int', 'string'] as const) {
    await see(storage, { schema: properties.map((name) => ({ name, type })) });
  }
  const turns = await readsInTurns(storage, () => typeConflicts(storage, 'demo', { limit: 1 }));
  // One name, and that of the next.
  expect(turns.reduce((sum, { characters }) => sum + characters, 0)).toBeLessThan(20_000);
});
