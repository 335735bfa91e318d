// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { EventSchema } from '../event-schema.ts';
import { NOW } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { PRICE, readIssues, sendEvents, summarizeIssues } from '../testing/found-issues.ts';

describe('a property of another type than the first', () => {
  test('is an issue where it was seen, with its types and the share of events', async ({ storage }) => {
    await sendEvents(storage, [
      ['Paid', PRICE('int')],
      ['Paid', PRICE('int')],
      ['Paid', PRICE('int')],
    ]);
    await sendEvents(storage, [['Paid', PRICE('string')]], { at: NOW + 1, version: '1.1' });
    const [issue, ...others] = await readIssues(storage);
    expect(others).toEqual([]);
    expect(issue).toMatchObject({
      kind: 'typeConflict',
      state: 'open',
      eventName: 'Paid',
      property: ['price'],
      source: 'shop',
      environment: 'prod',
      appVersion: '1.1',
      comparedWith: 'int',
      affectedShare: 0.25,
      firstSeen: new Date(NOW + 1).toISOString(),
      lastSeen: new Date(NOW + 1).toISOString(),
      stateChangedAt: null,
      stateChangedBy: null,
    });
    expect(issue?.types.map(({ type }) => type).toSorted()).toEqual(['int', 'string']);
  });

  test('is last seen when the last event had it, though nothing about that is new', async ({ storage }) => {
    await sendEvents(storage, [
      ['Paid', PRICE('int')],
      ['Paid', PRICE('string')],
    ]);
    await sendEvents(storage, [['Paid', PRICE('string')]], { at: NOW + 60_000 });
    expect(await readIssues(storage)).toMatchObject([{ lastSeen: new Date(NOW + 60_000).toISOString() }]);
  });

  test('is an issue of each source and environment that sends it, and of no other', async ({ storage }) => {
    await sendEvents(storage, [['Paid', PRICE('int')]]);
    await sendEvents(storage, [['Paid', PRICE('float')]], { source: 'ios' });
    await sendEvents(storage, [['Paid', PRICE('float')]], { environment: 'dev' });
    const found = await readIssues(storage);
    expect(found.map(({ source, environment }) => `${source} ${environment}`).toSorted()).toEqual([
      'ios prod',
      'shop dev',
    ]);
  });
});

describe('a name that differs by case or separators only', () => {
  test.for<[string, string]>([
    ['product_viewed', 'Product Viewed'],
    ['productViewed', 'Product Viewed'],
    ['PRODUCT-VIEWED', 'product.viewed'],
    ['ＡＢ', 'ab'],
  ])('of an event: %s and %s', async ([one, other], { storage }) => {
    await sendEvents(storage, [other, one, 'Another']);
    expect(await summarizeIssues(storage)).toEqual([`nameVariant ${one}  ${other}`]);
    expect(await readIssues(storage)).toMatchObject([{ affectedShare: 1 }]);
  });

  test('of a property beside another, at any level', async ({ storage }) => {
    const user = (...names: string[]): EventSchema => [
      { name: 'user', type: 'object', properties: names.map((name) => ({ name, type: 'int' })) },
    ];
    await sendEvents(storage, [
      ['Paid', user('first_name')],
      ['Paid', user('firstName')],
      ['Seen', user('FirstName')],
    ]);
    await sendEvents(storage, [['Paid', [{ name: 'first-name', type: 'int' }]]]);
    expect(await summarizeIssues(storage)).toEqual(['nameVariant Paid user.firstName first_name']);
  });

  test('but not one of separators alone', async ({ storage }) => {
    await sendEvents(storage, ['-', '_', ' ']);
    expect(await summarizeIssues(storage)).toEqual([]);
  });
});

describe('what an app version brings', () => {
  test('is nothing new in the first version of a source', async ({ storage }) => {
    await sendEvents(storage, [['Paid', PRICE('int')]]);
    await sendEvents(storage, ['Seen'], { at: NOW + 1, environment: 'dev' });
    await sendEvents(storage, ['Left'], { at: NOW + 1, source: 'ios' });
    expect(await summarizeIssues(storage)).toEqual([]);
  });

  test('is new once, of a whole event only the event', async ({ storage }) => {
    const nested: EventSchema = [{ name: 'user', type: 'object', properties: [{ name: 'age', type: 'int' }] }];
    await sendEvents(storage, ['Paid']);
    await sendEvents(
      storage,
      [
        ['Seen', nested],
        ['Paid', nested],
      ],
      { at: NOW + 1, version: '1.1' },
    );
    await sendEvents(storage, [['Seen', PRICE('int')]], { at: NOW + 2, version: '1.1' });
    await sendEvents(
      storage,
      [
        ['Seen', nested],
        ['Paid', nested],
      ],
      { at: NOW + 3, version: '1.1', environment: 'dev' },
    );
    expect(await summarizeIssues(storage)).toEqual(['newInVersion Paid user ', 'newInVersion Seen  ']);
    expect(await readIssues(storage, { eventName: 'Paid' })).toMatchObject([{ appVersion: '1.1', affectedShare: 0.5 }]);
  });
});

describe('an event whose name is a variant', () => {
  const nested: EventSchema = [{ name: 'user', type: 'object', properties: [{ name: 'age', type: 'int' }] }];

  test('is told as that, and its properties only once a later version brings them', async ({ storage }) => {
    await sendEvents(storage, ['Product Viewed']);
    await sendEvents(storage, [['product_viewed', nested]], { at: NOW + 1, version: '1.1' });
    await sendEvents(storage, [['product_viewed', PRICE('int')]], { at: NOW + 2, version: '1.1' });
    expect(await summarizeIssues(storage)).toEqual(['nameVariant product_viewed  Product Viewed']);
    await sendEvents(storage, [['product_viewed', [{ name: 'tax', type: 'int' }]]], { at: NOW + 3, version: '1.2' });
    expect(await summarizeIssues(storage)).toEqual([
      'nameVariant product_viewed  Product Viewed',
      'newInVersion product_viewed tax ',
    ]);
  });

  test.for<[string, { environment?: 'dev'; source?: string }]>([
    ['version', {}],
    ['environment', { environment: 'dev' }],
    ['source', { source: 'ios' }],
  ])('has new properties where it was there before, in another %s', async ([, there], { storage }) => {
    await sendEvents(storage, ['Product Viewed']);
    await sendEvents(storage, ['Product Viewed'], { at: NOW + 1, version: '1.1' });
    await sendEvents(storage, ['product_viewed'], { at: NOW + 2, ...there });
    for (const [index, name] of ['tax', 'price'].entries()) {
      const schema: EventSchema = [{ name, type: 'int' }];
      await sendEvents(storage, [['product_viewed', schema]], { at: NOW + 3 + index, version: '1.1' });
    }
    const found = await summarizeIssues(storage);
    expect(found.filter((issue) => issue.startsWith('newInVersion'))).toEqual([
      'newInVersion product_viewed price ',
      'newInVersion product_viewed tax ',
    ]);
  });
});

test('a trial version (0.0.0-…) is not the first of its source, and brings nothing new', async ({ storage }) => {
  await sendEvents(storage, ['Tried'], { version: '0.0.0-try', environment: 'dev' });
  await sendEvents(storage, ['Paid', 'Seen'], { at: NOW + 1, version: '1.4.0' });
  await sendEvents(storage, ['Tried again'], { at: NOW + 2, version: '0.0.0-try', environment: 'dev' });
  expect(await summarizeIssues(storage)).toEqual([]);
  await sendEvents(storage, ['Left'], { at: NOW + 3, version: '1.5.0' });
  expect(await summarizeIssues(storage)).toEqual(['newInVersion Left  ']);
});

/** More than a summary names. */
const MANY_VERSIONS = Array.from({ length: 12 }, (_, index) => index);

test('the first version after many trials is the first of its source', async ({ storage }) => {
  for (const n of MANY_VERSIONS) await sendEvents(storage, ['Tried'], { at: NOW + n, version: `0.0.0-try.${n}` });
  await sendEvents(storage, ['Paid', 'Seen'], { at: NOW + 100, version: '1.0.0' });
  expect(await summarizeIssues(storage)).toEqual([]);
});

test('the first version of a source stays so, however many follow', async ({ storage }) => {
  for (const n of MANY_VERSIONS) {
    await sendEvents(storage, ['Paid'], { at: NOW + n, version: `1.${n}.0`, environment: n === 0 ? 'dev' : 'prod' });
  }
  await sendEvents(storage, ['Left'], { at: NOW + 100, version: '1.0.0' });
  expect(await summarizeIssues(storage)).toEqual([]);
  await sendEvents(storage, ['Gone'], { at: NOW + 101, version: '1.1.0' });
  expect(await summarizeIssues(storage)).toEqual(['newInVersion Gone  ']);
});
