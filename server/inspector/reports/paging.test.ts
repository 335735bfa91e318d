// @module-tag sqlite-alone
import { expect } from 'vitest';
import { test } from '../testing/database.ts';
import { pagingBy } from './paging.ts';

// From an equality both engines began with the whole event, at every place.
test('a page begins after a place in the index of its filter, and ends with the filter', ({ storage }) => {
  const range = { fixed: [['event_key', 'Viewed']], sorted: ['source', 'shape_id'] } as const;
  const paging = pagingBy<'event_key' | 'source' | 'shape_id'>(range, 'demo', { eventName: 'Viewed' });
  const after = paging?.after({ event_key: 'Viewed', source: 'shop', shape_id: 'x' }).compile(storage.db);
  expect(after?.sql).toBe('("event_key", "source", "shape_id") > (?, ?, ?) and ("event_key") <= (?)');
  expect(after?.parameters).toEqual(['Viewed', 'shop', 'x', 'Viewed']);
  const first = paging?.after().compile(storage.db);
  expect([first?.sql, first?.parameters]).toEqual([
    '("event_key") >= (?) and ("event_key") <= (?)',
    ['Viewed', 'Viewed'],
  ]);
});
