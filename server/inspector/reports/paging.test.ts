// @module-tag sqlite-alone
import { expect } from 'vitest';
import { test } from '../testing/database.ts';
import { pagingBy } from './paging.ts';

// PostgreSQL went through the whole index of another order, 10,000 pages of it, when the event was not in the comparison.
test('a page begins after a place in the index of its filter', ({ storage }) => {
  const order = { fixed: [['event_key', 'Viewed']], sorted: ['source', 'shape_id'], table: 'seen' } as const;
  const paging = pagingBy(order, 'demo', { eventName: 'Viewed' });
  const { sql, parameters } = paging?.after({ source: 'shop', shape_id: 'x' }).compile(storage.db) ?? {};
  expect(sql).toBe('("seen"."event_key", "seen"."source", "seen"."shape_id") > (?, ?, ?)');
  expect(parameters).toEqual(['Viewed', 'shop', 'x']);
  expect(paging?.after().compile(storage.db).sql).toBe('true');
});
