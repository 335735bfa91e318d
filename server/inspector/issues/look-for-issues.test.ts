// @module-tag both-engines
import { expect, vi } from 'vitest';
import { workFor } from '../../storage/holder.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import type { EventSchema } from '../event-schema.ts';
import { settleCounts } from '../ingest/pending-counts.ts';
import { NOW } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { PRICE, readIssues, sendEvents, type SentEvent } from '../testing/found-issues.ts';
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

test('a look goes on for others when the client of who began it leaves', async ({ storage }) => {
  await sendEvents(storage, ['One']);
  let asked = 0;
  const isWanted = () => (asked += 1) === 1;
  await workFor('demo', () => lookBeforeReading(storage, 'demo'), isWanted);
  expect(await ofTest(storage).db.selectFrom('issue_news').select('entry_id').execute()).toEqual([]);
});

test('long names are folded some at a time, in turns with what else there is to do', async ({ storage }) => {
  const schema = (event: number): EventSchema =>
    Array.from({ length: 60 }, (_, at) => ({ name: `${event} ${at} ${'x'.repeat(1_000)}`, type: 'int' }));
  const events = Array.from({ length: 8 }, (_, event): SentEvent => [`Event ${event}`, schema(event)]);
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
