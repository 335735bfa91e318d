// @module-tag both-engines
import { describe, expect } from 'vitest';
import { forgetMessages, forgetBatches } from './retention.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { batch, event, KEY, NOW, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';

const DAY = 24 * 60 * 60 * 1_000;

const observedAt = (time: number): { observedAt: string } => ({ observedAt: new Date(time).toISOString() });

describe('forgetting messages', () => {
  test('what was observed later still counts as a duplicate, what was observed before does not', async ({
    storage,
  }) => {
    const ingest = openIngest({ storage });
    const old = event(observedAt(NOW));
    const young = event(observedAt(NOW + 4 * DAY));
    await ingest.take(KEY, batch([old, young]));
    await Array.fromAsync(forgetMessages(storage, { from: NOW, to: NOW + 4 * DAY, now: NOW + 34 * DAY }));
    expect(await ingest.take(KEY, batch([young]))).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await ingest.take(KEY, batch([old]))).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  test('empties nothing as long as the time stands still', async ({ storage }) => {
    const ingest = openIngest({ storage });
    const sent = event(observedAt(NOW));
    await ingest.take(KEY, batch([sent]));
    await Array.fromAsync(forgetMessages(storage, { from: NOW + DAY, to: NOW + DAY, now: NOW + 31 * DAY }));
    expect(await ingest.take(KEY, batch([sent]))).toMatchObject({ accepted: 0, duplicates: 1 });
  });
});

test('forgets old batches some at a time, and leaves the others', async ({ storage }) => {
  let now = NOW;
  const ingest = openIngest({ storage, clock: () => now, maxWaitingWeight: 100_000 });
  await Promise.all(Array.from({ length: 1_500 }, () => ingest.take(KEY, batch([event()]))));
  now += DAY;
  await ingest.take(KEY, batch([event()]));
  expect(await Array.fromAsync(forgetBatches(storage, NOW + 1))).toHaveLength(1);
  expect(await ofTest(storage).db.selectFrom('seen_batches').select('seen_at').execute()).toEqual([{ seen_at: now }]);
});
