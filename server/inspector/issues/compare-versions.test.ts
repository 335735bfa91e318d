// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import type { EventSchema } from '../event-schema.ts';
import { DAY_MS } from '../hours.ts';
import { settleCounts } from '../ingest/pending-counts.ts';
import { batch, event, KEY, NOW, openIngest } from '../testing/batches.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { test } from '../testing/database.ts';
import { compareVersion, nextDueVersion } from './compare-versions.ts';
import { findingIssues } from './finding-issues.ts';
import { listIssues } from './list.ts';
import { lookBeforeReading } from './look-for-issues.ts';

const PRICED: EventSchema = [{ name: 'price', type: 'int' }];

/** Of each event how many, and its schema. */
type Sent = Record<string, number | [count: number, schema: EventSchema]>;

async function send(
  storage: Storage,
  sent: Sent,
  { source = 'shop', version = '1.0', at = NOW, environment = 'prod' as const } = {},
) {
  const ingest = openIngest({ storage, clock: () => at });
  const events = Object.entries(sent).flatMap(([eventName, what]) => {
    const [count, schema] = typeof what === 'number' ? [what, []] : what;
    return Array.from({ length: count }, () => event({ eventName, schema }));
  });
  for (let start = 0; start < events.length; start += 900) {
    await ingest.take({ ...KEY, source }, batch(events.slice(start, start + 900), { version, environment }));
  }
  await ingest.close();
}

/** All that maintenance does at a time. */
async function maintain(storage: Storage, at: number): Promise<void> {
  await settleCounts(storage, 'demo');
  for await (const _ of findingIssues(storage, () => at).steps());
}

async function told(storage: Storage, state: 'open' | 'resolved' = 'open'): Promise<string[]> {
  await lookBeforeReading(storage, 'demo');
  const { entries = [] } = (await listIssues(storage, 'demo', { state })) ?? {};
  return entries
    .map(({ kind, eventName, property, source, comparedWith, affectedShare }) =>
      [kind, eventName, property.join('.'), source, comparedWith, affectedShare].join(' '),
    )
    .toSorted();
}

const LATER = NOW + 10 * DAY_MS;

/** A comparison, behind whose reading something else is done, before it writes what it has found. */
async function compareBeside(storage: Storage, at: number, before: () => Promise<unknown>): Promise<void> {
  await settleCounts(storage, 'demo');
  const due = await nextDueVersion(storage, 'demo', at);
  if (due === undefined) throw new Error('No version is due.');
  let isDone = false;
  const write: Storage['write'] = async (work) => {
    if (!isDone) {
      isDone = true;
      await before();
    }
    return storage.write(work);
  };
  for await (const _ of compareVersion({ ...storage, write }, due, at));
}

describe('what a new app version does not send any more', () => {
  test('is told a day after its first event, where 50 of them were to be expected', async ({ storage }) => {
    await send(storage, { Viewed: 80, Paid: [60, PRICED], Rare: 1 });
    await send(storage, { Viewed: 100, Paid: 60 }, { at: LATER, version: '1.1' });
    await maintain(storage, LATER + DAY_MS - 1);
    expect(await told(storage)).toEqual([]);
    await maintain(storage, LATER + DAY_MS);
    expect(await told(storage)).toEqual(['goneInVersion Paid price shop 1.0 0.5']);
    // What came in the version before comes no more as a whole.
    await send(storage, { Viewed: 200 }, { at: LATER + 2 * DAY_MS, version: '1.2' });
    await maintain(storage, LATER + 3 * DAY_MS);
    expect(await told(storage)).toEqual(['goneInVersion Paid  shop 1.1 ', 'goneInVersion Paid price shop 1.0 0.5']);
  });

  test('is nothing where fewer would have come', async ({ storage }) => {
    await send(storage, { Viewed: 80, Paid: [40, PRICED], Rare: 2 });
    await send(storage, { Viewed: 60, Paid: 49 }, { at: LATER, version: '1.1' });
    await maintain(storage, LATER + DAY_MS);
    expect(await told(storage)).toEqual([]);
    // The version is looked at for a week, once a day.
    await send(storage, { Paid: 1 }, { at: LATER + DAY_MS, version: '1.1' });
    await maintain(storage, LATER + 2 * DAY_MS);
    expect(await told(storage)).toEqual(['goneInVersion Paid price shop 1.0 0.5555555555555556']);
  });

  test('is looked at no longer than a week, and in the newest version only', async ({ storage }) => {
    await send(storage, { Viewed: 100, Paid: 60 });
    await send(storage, { Viewed: 1 }, { at: LATER, version: '1.1' });
    await maintain(storage, LATER + 8 * DAY_MS);
    await send(storage, { Viewed: 200 }, { at: LATER + 8 * DAY_MS, version: '1.1' });
    await maintain(storage, LATER + 20 * DAY_MS);
    expect(await told(storage)).toEqual([]);
    await send(storage, { Viewed: 200 }, { at: LATER + 20 * DAY_MS, version: '1.2' });
    await send(storage, { Viewed: 1 }, { at: LATER + 20 * DAY_MS + 1, version: '1.3' });
    await maintain(storage, LATER + 22 * DAY_MS);
    expect(await told(storage)).toEqual([]);
  });

  test('is resolved by itself when it comes, from that version or a newer one', async ({ storage }) => {
    await send(storage, { Viewed: 100, Paid: [100, PRICED] });
    await send(storage, { Viewed: 200 }, { at: LATER, version: '1.1' });
    await maintain(storage, LATER + DAY_MS);
    expect(await told(storage)).toEqual(['goneInVersion Paid  shop 1.0 ']);
    await send(storage, { Paid: [1, [{ name: 'more', type: 'int' }]] }, { at: LATER + DAY_MS, version: '1.0' });
    expect(await told(storage)).toEqual(['goneInVersion Paid  shop 1.0 ']);
    await send(storage, { Paid: [1, PRICED] }, { at: LATER + 2 * DAY_MS, version: '1.1' });
    expect(await told(storage)).toEqual([]);
    expect(await told(storage, 'resolved')).toEqual(['goneInVersion Paid  shop 1.0 ']);
    expect((await listIssues(storage, 'demo', { state: 'resolved' }))?.entries).toMatchObject([
      { stateChangedBy: null },
    ]);
  });
});

test.for<[string, (at: number) => string, number[]]>([
  ['500 issues', (at) => `p${at}`, [500, 460]],
  ['131,072 characters of long names', (at) => `p${at}`.padEnd(1_000, 'x'), [130, 50]],
])('what many properties are missing is kept some at a time: %s', async ([, nameOf, steps], { storage }) => {
  const third = steps.reduce((sum, count) => sum + count, 0) / 3;
  for (const from of [0, third, 2 * third]) {
    const part: EventSchema = Array.from({ length: third }, (_, at) => ({ name: nameOf(from + at), type: 'int' }));
    await send(storage, { Paid: [60, part] });
  }
  await lookBeforeReading(storage, 'demo');
  await send(storage, { Paid: 180 }, { at: LATER, version: '1.1' });
  await settleCounts(storage, 'demo');
  const { db } = ofTest(storage);
  const kept: number[] = [];
  for await (const _ of findingIssues(storage, () => LATER + DAY_MS).steps()) {
    const rows = await db.selectFrom('issues').select('issue_id').where('kind', '=', 'goneInVersion').execute();
    kept.push(rows.length - kept.reduce((sum, one) => sum + one, 0));
  }
  expect(kept.filter((count) => count > 0)).toEqual(steps);
});

describe('what another source sends', () => {
  const MANY = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`Event ${index}`, 60]));

  test('is missed as a whole event where the sources are alike', async ({ storage }) => {
    await send(storage, { ...MANY, Paid: 60 }, { source: 'android' });
    await send(storage, MANY, { source: 'ios', at: NOW + 1 });
    await maintain(storage, NOW + DAY_MS + 1);
    expect(await told(storage)).toEqual(['missingOnSource Paid  ios android ']);
  });

  test('is not missed where they are not', async ({ storage }) => {
    await send(storage, { ...MANY, Paid: 60, Left: 60, Seen: 60 }, { source: 'android' });
    const half = Object.fromEntries(Object.entries(MANY).slice(5));
    await send(storage, { ...half, A: 60, B: 60, C: 60, D: 60, E: 60 }, { source: 'web', at: NOW + 1 });
    await send(storage, { 'Event 1': 600 }, { source: 'backend', at: NOW + 1 });
    await maintain(storage, NOW + DAY_MS + 1);
    expect(await told(storage)).toEqual([]);
  });

  test('is missed as a property of an event that both send', async ({ storage }) => {
    const nested: EventSchema = [{ name: 'user', type: 'object', properties: PRICED }];
    await send(storage, { Paid: [60, nested] }, { source: 'android' });
    await send(storage, { Paid: 60 }, { source: 'ios', at: NOW + 1 });
    await maintain(storage, NOW + DAY_MS + 1);
    expect(await told(storage)).toEqual(['missingOnSource Paid user ios android 1']);
  });
});

describe('what arrives while it is found wanting', () => {
  test.for<[string, Sent, Sent]>([
    ['an event', { Viewed: 200 }, { Paid: [1, PRICED] }],
    ['a property', { Viewed: 100, Paid: 60 }, { Paid: [1, PRICED] }],
  ])('is no issue: %s', async ([, sent, arriving], { storage }) => {
    await send(storage, { Viewed: 80, Paid: [60, PRICED] });
    await send(storage, sent, { at: LATER, version: '1.1' });
    // The version before is due first.
    await maintain(storage, LATER + DAY_MS - 1);
    const at = LATER + DAY_MS;
    await compareBeside(storage, at, async () => {
      await send(storage, arriving, { at, version: '1.1' });
      // Another reader's look for issues finds none that it would resolve.
      expect(await told(storage)).toEqual([]);
    });
    expect(await told(storage)).toEqual([]);
  });

  test('does not keep other issues from being found', async ({ storage }) => {
    await send(storage, { Viewed: 80, Paid: [60, PRICED], Left: 60 });
    await send(storage, { Viewed: 200, Paid: 60 }, { at: LATER, version: '1.1' });
    // The version before is due first.
    await maintain(storage, LATER + DAY_MS - 1);
    const at = LATER + DAY_MS;
    await compareBeside(storage, at, () => send(storage, { Viewed: [1, PRICED] }, { at, version: '1.1' }));
    expect((await told(storage)).filter((issue) => issue.startsWith('gone'))).toEqual([
      expect.stringMatching(/^goneInVersion Left  /),
      expect.stringMatching(/^goneInVersion Paid price /),
    ]);
  });
});

describe('a trial version (0.0.0-…)', () => {
  const TRIAL = { version: '0.0.0-try' };
  const GONE = [expect.stringMatching(/^goneInVersion Left  shop 1\.0 /)];

  test.for([
    ['before it', LATER - 1],
    ['after it', LATER + 1],
  ] as const)('does not keep a release from being compared with the one before: %s', async ([, at], { storage }) => {
    await send(storage, { Viewed: 80, Left: 60 });
    if (at < LATER) await send(storage, { Tried: 1 }, { ...TRIAL, at });
    await send(storage, { Viewed: 200 }, { at: LATER, version: '1.1' });
    if (at > LATER) await send(storage, { Tried: 1 }, { ...TRIAL, at });
    await maintain(storage, LATER + DAY_MS + 1);
    expect(await told(storage)).toEqual(GONE);
  });

  test('is not compared, and resolves nothing', async ({ storage }) => {
    await send(storage, { Viewed: 80, Left: 60 });
    await send(storage, { Viewed: 200 }, { at: LATER, version: '1.1' });
    await send(storage, { Left: 200 }, { ...TRIAL, at: LATER + 1 });
    await maintain(storage, LATER + 2 * DAY_MS);
    expect(await told(storage)).toEqual(GONE);
    await send(storage, { Left: [1, PRICED] }, { ...TRIAL, at: LATER + 2 * DAY_MS });
    expect(await told(storage)).toEqual(GONE);
  });
});
