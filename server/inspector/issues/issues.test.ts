// @module-tag both-engines
import { describe, expect, vi } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { workFor } from '../../storage/holder.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import type { EventSchema } from '../event-schema.ts';
import { settleCounts } from '../ingest/pending-counts.ts';
import { batch, event, KEY, NOW, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { changeIssueState } from './change-state.ts';
import { type IssueQuery, listIssues } from './list.ts';
import { hasUnchecked, lookBeforeReading, lookForSomeIssues } from './look-for-issues.ts';

type Event = string | [name: string, schema: EventSchema];

interface Sent {
  source?: string;
  version?: string;
  environment?: 'dev' | 'prod';
  at?: number;
  maxShapes?: number;
}

const ADA = { workspaceId: 'demo', id: 'ada', email: 'ada@example.com' };

const PRICE = (type: 'int' | 'float' | 'string'): EventSchema => [{ name: 'price', type }];

async function send(
  storage: Storage,
  events: Event[],
  { source = 'shop', at = NOW, maxShapes = 1_000, ...place }: Sent = {},
) {
  const ingest = openIngest({ storage, clock: () => at, maxShapes });
  const made = events.map((one) => (typeof one === 'string' ? event({ eventName: one }) : named(...one)));
  await ingest.take({ ...KEY, source }, batch(made, place));
  await ingest.close();
}

const named = (eventName: string, schema: EventSchema) => event({ eventName, schema });

async function issues(storage: Storage, query: IssueQuery = {}) {
  await settleCounts(storage, 'demo');
  await lookBeforeReading(storage, 'demo');
  expect(await hasUnchecked(storage, 'demo')).toBe(false);
  return (await listIssues(storage, 'demo', query))?.entries ?? [];
}

/** In short: kind, event, property and what it is compared with. */
async function told(storage: Storage, query: IssueQuery = {}): Promise<string[]> {
  const found = await issues(storage, query);
  return found
    .map(({ kind, eventName, property, comparedWith }) => [kind, eventName, property.join('.'), comparedWith].join(' '))
    .toSorted();
}

describe('a property of another type than the first', () => {
  test('is an issue where it was seen, with its types and the share of events', async ({ storage }) => {
    await send(storage, [
      ['Paid', PRICE('int')],
      ['Paid', PRICE('int')],
      ['Paid', PRICE('int')],
    ]);
    await send(storage, [['Paid', PRICE('string')]], { at: NOW + 1, version: '1.1' });
    const [issue, ...others] = await issues(storage);
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
    await send(storage, [
      ['Paid', PRICE('int')],
      ['Paid', PRICE('string')],
    ]);
    await send(storage, [['Paid', PRICE('string')]], { at: NOW + 60_000 });
    expect(await issues(storage)).toMatchObject([{ lastSeen: new Date(NOW + 60_000).toISOString() }]);
  });

  test('is an issue of each source and environment that sends it, and of no other', async ({ storage }) => {
    await send(storage, [['Paid', PRICE('int')]]);
    await send(storage, [['Paid', PRICE('float')]], { source: 'ios' });
    await send(storage, [['Paid', PRICE('float')]], { environment: 'dev' });
    const found = await issues(storage);
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
    await send(storage, [other, one, 'Another']);
    expect(await told(storage)).toEqual([`nameVariant ${one}  ${other}`]);
    expect(await issues(storage)).toMatchObject([{ affectedShare: 1 }]);
  });

  test('of a property beside another, at any level', async ({ storage }) => {
    const user = (...names: string[]): EventSchema => [
      { name: 'user', type: 'object', properties: names.map((name) => ({ name, type: 'int' })) },
    ];
    await send(storage, [
      ['Paid', user('first_name')],
      ['Paid', user('firstName')],
      ['Seen', user('FirstName')],
    ]);
    await send(storage, [['Paid', [{ name: 'first-name', type: 'int' }]]]);
    expect(await told(storage)).toEqual(['nameVariant Paid user.firstName first_name']);
  });

  test('but not one of separators alone', async ({ storage }) => {
    await send(storage, ['-', '_', ' ']);
    expect(await told(storage)).toEqual([]);
  });
});

describe('what an app version brings', () => {
  test('is nothing new in the first version of a source', async ({ storage }) => {
    await send(storage, [['Paid', PRICE('int')]]);
    await send(storage, ['Seen'], { at: NOW + 1, environment: 'dev' });
    await send(storage, ['Left'], { at: NOW + 1, source: 'ios' });
    expect(await told(storage)).toEqual([]);
  });

  test('is new once, of a whole event only the event', async ({ storage }) => {
    const nested: EventSchema = [{ name: 'user', type: 'object', properties: [{ name: 'age', type: 'int' }] }];
    await send(storage, ['Paid']);
    await send(
      storage,
      [
        ['Seen', nested],
        ['Paid', nested],
      ],
      { at: NOW + 1, version: '1.1' },
    );
    await send(storage, [['Seen', PRICE('int')]], { at: NOW + 2, version: '1.1' });
    await send(
      storage,
      [
        ['Seen', nested],
        ['Paid', nested],
      ],
      { at: NOW + 3, version: '1.1', environment: 'dev' },
    );
    expect(await told(storage)).toEqual(['newInVersion Paid user ', 'newInVersion Seen  ']);
    expect(await issues(storage, { eventName: 'Paid' })).toMatchObject([{ appVersion: '1.1', affectedShare: 0.5 }]);
  });
});

describe('an event whose name is a variant', () => {
  const nested: EventSchema = [{ name: 'user', type: 'object', properties: [{ name: 'age', type: 'int' }] }];

  test('is told as that, and its properties only once a later version brings them', async ({ storage }) => {
    await send(storage, ['Product Viewed']);
    await send(storage, [['product_viewed', nested]], { at: NOW + 1, version: '1.1' });
    await send(storage, [['product_viewed', PRICE('int')]], { at: NOW + 2, version: '1.1' });
    expect(await told(storage)).toEqual(['nameVariant product_viewed  Product Viewed']);
    await send(storage, [['product_viewed', [{ name: 'tax', type: 'int' }]]], { at: NOW + 3, version: '1.2' });
    expect(await told(storage)).toEqual([
      'nameVariant product_viewed  Product Viewed',
      'newInVersion product_viewed tax ',
    ]);
  });
});

test('a trial version (0.0.0-…) is not the first of its source, and brings nothing new', async ({ storage }) => {
  await send(storage, ['Tried'], { version: '0.0.0-try', environment: 'dev' });
  await send(storage, ['Paid', 'Seen'], { at: NOW + 1, version: '1.4.0' });
  await send(storage, ['Tried again'], { at: NOW + 2, version: '0.0.0-try', environment: 'dev' });
  expect(await told(storage)).toEqual([]);
  await send(storage, ['Left'], { at: NOW + 3, version: '1.5.0' });
  expect(await told(storage)).toEqual(['newInVersion Left  ']);
});

/** More than a summary names. */
const MANY_VERSIONS = Array.from({ length: 12 }, (_, index) => index);

test('the first version after many trials is the first of its source', async ({ storage }) => {
  for (const n of MANY_VERSIONS) await send(storage, ['Tried'], { at: NOW + n, version: `0.0.0-try.${n}` });
  await send(storage, ['Paid', 'Seen'], { at: NOW + 100, version: '1.0.0' });
  expect(await told(storage)).toEqual([]);
});

test('the first version of a source stays so, however many follow', async ({ storage }) => {
  for (const n of MANY_VERSIONS) {
    await send(storage, ['Paid'], { at: NOW + n, version: `1.${n}.0`, environment: n === 0 ? 'dev' : 'prod' });
  }
  await send(storage, ['Left'], { at: NOW + 100, version: '1.0.0' });
  expect(await told(storage)).toEqual([]);
  await send(storage, ['Gone'], { at: NOW + 101, version: '1.1.0' });
  expect(await told(storage)).toEqual(['newInVersion Gone  ']);
});

test('events that were refused for want of room are an issue of the source', async ({ storage }) => {
  await send(storage, ['One', 'Two', 'Three', 'Four'], { maxShapes: 2 });
  expect(await told(storage)).toEqual(['overLimit   versionShapes']);
  expect(await issues(storage)).toMatchObject([{ eventName: null, property: [], affectedShare: null, source: 'shop' }]);
});

describe('app versions of which all was refused', () => {
  test('make one issue, however many they are, and are not remembered', async ({ storage }) => {
    await send(storage, ['One']);
    for (const version of ['2.0', '2.1', '2.2']) {
      for (const environment of ['dev', 'prod'] as const) {
        await send(storage, ['One'], { version, environment, at: NOW + 1, maxShapes: 0 });
      }
    }
    const { db } = ofTest(storage);
    // One for what was accepted, and one for each environment.
    expect(await db.selectFrom('issue_news').selectAll().execute()).toHaveLength(3);
    expect(await told(storage)).toEqual(Array(2).fill('overLimit   versionShapes'));
    expect(await db.selectFrom('issue_versions').select('app_version').execute()).toEqual([{ app_version: '1.0' }]);
  });

  test('and of whose source all was, make one issue each time it is looked', async ({ storage }) => {
    await send(storage, ['One']);
    const refuse = async (sources: readonly string[]) => {
      for (const source of sources) await send(storage, ['One'], { source, version: '2.0', maxShapes: 0 });
      return (await issues(storage)).map(({ source }) => source).toSorted();
    };
    expect(await refuse(['first', 'second', 'third'])).toEqual(['first']);
    expect(await refuse(['second', 'shop', 'third'])).toEqual(['first', 'second', 'shop']);
  });

  test('are new each time, so that an issue that was resolved comes back', async ({ storage }) => {
    const refuse = (at: number) => send(storage, ['One'], { version: '2.0', at, maxShapes: 0 });
    await refuse(NOW);
    const [{ issueId = '' } = {}] = await issues(storage);
    await changeIssueState(storage, { issueId, state: 'resolved', by: ADA, at: NOW + 1 });
    expect(await issues(storage)).toEqual([]);
    await refuse(NOW + 2);
    expect(await issues(storage)).toMatchObject([{ issueId, state: 'open', appVersion: '2.0' }]);
  });
});

test('a version that is known, and is refused more, does not bring back an issue that was resolved; a newer one does', async ({
  storage,
}) => {
  const fill = (version: string, at: number) =>
    send(storage, ['One', `Only in ${version}`], { version, at, maxShapes: 1 });
  await fill('1.0', NOW);
  const [{ issueId = '' } = {}] = await issues(storage);
  await changeIssueState(storage, { issueId, state: 'resolved', by: ADA, at: NOW + 1 });
  await fill('1.0', NOW + 2);
  expect(await issues(storage)).toEqual([]);
  await fill('1.0', NOW + 3);
  await fill('1.1', NOW + 4);
  expect(await issues(storage)).toMatchObject([{ issueId, state: 'open', appVersion: '1.1' }]);
});

describe('the state of an issue', () => {
  const change = async (storage: Storage, state: 'open' | 'resolved' | 'ignored', at: number) => {
    const [issue] = [
      ...(await issues(storage)),
      ...(await issues(storage, { state: 'resolved' })),
      ...(await issues(storage, { state: 'ignored' })),
    ];
    return changeIssueState(storage, { issueId: issue?.issueId ?? '', state, by: ADA, at });
  };

  const begin = (storage: Storage) =>
    send(storage, [
      ['Paid', PRICE('int')],
      ['Paid', PRICE('string')],
    ]);

  test('resolved says who and when, and comes back with a newer app version only', async ({ storage }) => {
    await begin(storage);
    expect(await change(storage, 'resolved', NOW + 10)).toMatchObject({
      state: 'resolved',
      stateChangedBy: 'ada@example.com',
      stateChangedAt: new Date(NOW + 10).toISOString(),
    });
    expect(await issues(storage)).toEqual([]);
    // A new shape of the same version, and a new version that has it no more.
    await send(storage, [['Paid', [...PRICE('string'), { name: 'more', type: 'int' }]]], { at: NOW + 20 });
    await send(storage, [['Paid', PRICE('int')]], { at: NOW + 30, version: '1.1' });
    expect(await issues(storage)).toEqual([]);
    await send(storage, [['Paid', PRICE('string')]], { at: NOW + 40, version: '1.2' });
    expect(await issues(storage)).toMatchObject([
      { state: 'open', appVersion: '1.2', stateChangedBy: null, stateChangedAt: new Date(NOW + 40).toISOString() },
    ]);
  });

  test('ignored stays ignored, in its environment', async ({ storage }) => {
    await begin(storage);
    await change(storage, 'ignored', NOW + 10);
    await send(storage, [['Paid', PRICE('string')]], { at: NOW + 40, version: '1.2' });
    expect(await issues(storage)).toEqual([]);
    expect(await issues(storage, { state: 'ignored' })).toMatchObject([{ appVersion: '1.2', environment: 'prod' }]);
    await send(storage, [['Paid', PRICE('string')]], { at: NOW + 50, environment: 'dev' });
    expect(await issues(storage)).toMatchObject([{ state: 'open', environment: 'dev' }]);
  });

  test('is not overruled by who does not know it', async ({ storage }) => {
    await begin(storage);
    await change(storage, 'ignored', NOW + 10);
    expect(await change(storage, 'ignored', NOW + 11)).toMatchObject({
      stateChangedAt: new Date(NOW + 10).toISOString(),
    });
    await expect(change(storage, 'resolved', NOW + 12)).rejects.toThrow(
      "This issue was ignored by ada@example.com and can't become resolved. Open it again first.",
    );
    expect(await change(storage, 'open', NOW + 13)).toMatchObject({ state: 'open', stateChangedBy: 'ada@example.com' });
  });

  test('of an issue that is not there can not be changed', async ({ storage }) => {
    const gone = changeIssueState(storage, { issueId: 'none', state: 'resolved', by: ADA, at: NOW });
    await expect(gone).rejects.toThrow('No issue of this workspace has this id.');
  });
});

test('an issue names the latest app version that has it, though an older one sends it anew', async ({ storage }) => {
  await send(storage, [
    ['Paid', PRICE('int')],
    ['Paid', PRICE('string')],
  ]);
  await send(storage, [['Paid', PRICE('string')]], { at: NOW + 1, version: '1.1' });
  await send(storage, [['Paid', [...PRICE('string'), { name: 'more', type: 'int' }]]], { at: NOW + 2, version: '1.0' });
  expect(await issues(storage, { kind: 'typeConflict' })).toMatchObject([{ appVersion: '1.1' }]);
});

test('what brings nothing new costs nothing', async ({ storage }) => {
  await send(storage, [
    ['Paid', PRICE('int')],
    ['Paid', PRICE('string')],
  ]);
  await issues(storage);
  await send(
    storage,
    [
      ['Paid', PRICE('int')],
      ['Paid', PRICE('string')],
    ],
    { at: NOW + 1 },
  );
  const news = storage.db.selectFrom('issue_news').selectAll().where('workspace_id', '=', 'demo');
  expect(await news.execute()).toEqual([]);
});

test('one transaction looks at 1,000 properties, so that others can write', async ({ storage }) => {
  const wide = Array.from({ length: 400 }, (_, index) => ({ name: `property ${index}`, type: 'int' as const }));
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await send(storage, [[name, wide]]);
  const news = storage.db.selectFrom('issue_news').select('entry_id').where('workspace_id', '=', 'demo');
  expect(await lookForSomeIssues(storage, 'demo')).toBe(true);
  expect(await news.execute()).toHaveLength(3);
  expect(await lookForSomeIssues(storage, 'demo')).toBe(true);
  expect(await lookForSomeIssues(storage, 'demo')).toBe(false);
  expect(await news.execute()).toEqual([]);
});

test('a look goes on for others when the client of who began it leaves', async ({ storage }) => {
  await send(storage, ['One']);
  let asked = 0;
  const isWanted = () => (asked += 1) === 1;
  await workFor('demo', () => lookBeforeReading(storage, 'demo'), isWanted);
  expect(await ofTest(storage).db.selectFrom('issue_news').select('entry_id').execute()).toEqual([]);
});

test('filters and pages', async ({ storage }) => {
  const names = Array.from({ length: 7 }, (_, index) => `Event ${index}`);
  for (const [index, name] of names.entries()) {
    await send(
      storage,
      [
        [name, PRICE('int')],
        [name, PRICE('string')],
      ],
      { at: NOW + index },
    );
  }
  await send(storage, ['event-0'], { source: 'ios', at: NOW + 10, environment: 'dev' });
  await issues(storage);
  const walk = async (query: IssueQuery): Promise<(string | null)[]> => {
    const found: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await listIssues(storage, 'demo', { ...query, limit: 3, cursor });
      found.push(...(page?.entries ?? []).map(({ eventName }) => eventName));
      cursor = page?.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  };
  expect(await walk({})).toEqual(['event-0', ...names.toReversed()]);
  expect(await walk({ kind: 'typeConflict' })).toEqual(names.toReversed());
  expect(await walk({ source: 'ios' })).toEqual(['event-0']);
  expect(await walk({ environment: 'prod', source: 'shop' })).toEqual(names.toReversed());
  expect(await walk({ text: 'NT 3' })).toEqual(['Event 3']);
  expect(await walk({ eventName: 'Event 4' })).toEqual(['Event 4']);
  expect(await walk({ state: 'resolved' })).toEqual([]);
  const { nextCursor } = (await listIssues(storage, 'demo', { limit: 3 })) ?? {};
  expect(await listIssues(storage, 'demo', { cursor: nextCursor ?? '', state: 'ignored' })).toBeUndefined();
});

test('long names are folded some at a time, in turns with what else there is to do', async ({ storage }) => {
  const schema = (event: number): EventSchema =>
    Array.from({ length: 60 }, (_, at) => ({ name: `${event} ${at} ${'x'.repeat(1_000)}`, type: 'int' }));
  const events = Array.from({ length: 8 }, (_, event): Event => [`Event ${event}`, schema(event)]);
  await send(storage, events);
  await settleCounts(storage, 'demo');
  let folded = 0;
  let most = 0;
  const { queueMicrotask } = globalThis;
  const normalize = vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string) {
    folded += this.length;
    most = Math.max(most, folded);
    return this;
  });
  // `takeUrgentTurn` asks for a microtask in each turn that it gives.
  const turn = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => {
    folded = 0;
    queueMicrotask(task);
  });
  try {
    await lookBeforeReading(storage, 'demo');
  } finally {
    normalize.mockRestore();
    turn.mockRestore();
  }
  expect(most).toBeGreaterThan(50_000);
  expect(most).toBeLessThan(100_000);
});
