// @module-tag both-engines
import { expect, vi } from 'vitest';
import { workFor } from '../../storage/holder.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import type { EventSchema } from '../event-schema.ts';
import { deriveShape } from '../shape.ts';
import { settleCounts } from '../ingest/pending-counts.ts';
import { NOW } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { PRICE, readIssues, sendEvents, type SentEvent } from '../testing/found-issues.ts';
import { News, parseNews, sizeOfNews } from './news.ts';
import type { IssueRow } from './tables.ts';
import { lookBeforeReading, lookForSomeIssues } from './look-for-issues.ts';

test('an issue names the latest app version that has it, though an older one sends it anew', async ({ storage }) => {
  await sendEvents(storage, [
    ['Paid', PRICE('int')],
    ['Paid', PRICE('string')],
  ]);
  await sendEvents(storage, [['Paid', PRICE('string')]], { at: NOW + 1, version: '1.1' });
  await sendEvents(storage, [['Paid', [...PRICE('string'), { name: 'more', type: 'int' }]]], {
    at: NOW + 2,
    version: '1.0',
  });
  expect(await readIssues(storage, { kind: 'typeConflict' })).toMatchObject([{ appVersion: '1.1' }]);
});

test('what brings nothing new costs nothing', async ({ storage }) => {
  await sendEvents(storage, [
    ['Paid', PRICE('int')],
    ['Paid', PRICE('string')],
  ]);
  await readIssues(storage);
  await sendEvents(
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
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await sendEvents(storage, [[name, wide]]);
  const news = storage.db.selectFrom('issue_news').select('entry_id').where('workspace_id', '=', 'demo');
  expect(await lookForSomeIssues(storage, 'demo')).toBe(true);
  expect(await news.execute()).toHaveLength(3);
  expect(await lookForSomeIssues(storage, 'demo')).toBe(true);
  expect(await lookForSomeIssues(storage, 'demo')).toBe(false);
  expect(await news.execute()).toEqual([]);
});

test('one transaction looks at 50 shapes, and at few that are large, also where one batch brought them', async ({
  storage,
}) => {
  const news = storage.db.selectFrom('issue_news').select('news').where('workspace_id', '=', 'demo');
  const countShapes = async () => sum((await news.execute()).map((entry) => sizeOfNews(parseNews(entry.news)).shapes));
  await sendEvents(
    storage,
    Array.from({ length: 120 }, (_, event) => `Event ${event}`),
  );
  const withLongNames = Array.from({ length: 8 }, (_, event): SentEvent => [`Event ${event}`, longNames(event, 30)]);
  await sendEvents(storage, withLongNames);
  const left: number[] = [];
  while (await lookForSomeIssues(storage, 'demo')) left.push(await countShapes());
  expect(left).toEqual([78, 28, 6, 4, 2]);
});

test('a shape that is larger than one transaction looks at is looked at all the same', async ({ storage }) => {
  await sendEvents(storage, [['Large', longNames(1, 64)]]);
  await sendEvents(storage, [['Large', longNames(1, 64, 'string')]]);
  expect(await readIssues(storage, { kind: 'typeConflict', limit: 100 })).toHaveLength(64);
});

test('one transaction looks at one source where it has many issues, however many wait', async ({ storage }) => {
  const known = (source: string) =>
    Array.from({ length: 1_500 }, (_, at) => knownIssue({ issue_id: `${source} ${at}`, path_key: `p${at}`, source }));
  const { db } = ofTest(storage);
  for (const source of ['android', 'ios']) await db.insertInto('issues').values(known(source)).execute();
  for (const source of ['android', 'ios', 'web']) await sendEvents(storage, [`Of ${source}`], { source });
  const news = db.selectFrom('issue_news').select('entry_id').where('workspace_id', '=', 'demo');
  const left: number[] = [];
  while (await lookForSomeIssues(storage, 'demo')) left.push((await news.execute()).length);
  expect(left).toEqual([2]);
});

test('what several sources bring together is looked at for each', () => {
  const news = new News();
  for (const source of ['android', 'ios', 'android']) {
    const place = { workspace_id: 'demo', source, app_version: '1.0', environment: 'prod' as const };
    news.addShape(place, deriveShape('Paid', []), NOW, true);
  }
  const sources = Array.from(news.entries().values(), (places) => places.map(({ source }) => source));
  expect(sources.toSorted()).toEqual([['android'], ['ios']]);
});

test('a look goes on for others when the client of who began it leaves', async ({ storage }) => {
  await sendEvents(storage, ['One']);
  let asked = 0;
  const isWanted = () => (asked += 1) === 1;
  await workFor('demo', () => lookBeforeReading(storage, 'demo'), isWanted);
  expect(await ofTest(storage).db.selectFrom('issue_news').select('entry_id').execute()).toEqual([]);
});

test('long names are folded some at a time, in turns with what else there is to do', async ({ storage }) => {
  const events = Array.from({ length: 8 }, (_, event): SentEvent => [`Event ${event}`, longNames(event, 60)]);
  await sendEvents(storage, events);
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

const longNames = (event: number, count: number, type: 'int' | 'string' = 'int'): EventSchema =>
  Array.from({ length: count }, (_, at) => ({ name: `${event} ${at} ${'x'.repeat(1_000)}`, type }));

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const knownIssue = (given: Partial<IssueRow>): IssueRow => ({
  workspace_id: 'demo',
  issue_id: '',
  kind: 'typeConflict',
  event_key: 'Paid',
  path_key: '',
  event_name: 'Paid',
  path: '[]',
  source: 'shop',
  environment: 'prod',
  app_version: '1.0',
  compared_with: 'int',
  state: 'open',
  first_seen: NOW,
  last_seen: NOW,
  raised_at: NOW,
  changed_at: null,
  changed_by: null,
  ...given,
});
