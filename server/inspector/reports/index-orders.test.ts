// @module-tag sqlite-alone
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { chooseOrder, type ReportFilter } from './index-orders.ts';
import { test } from '../testing/database.ts';
import { combineFilters } from '../testing/filters.ts';

const FILTERS = combineFilters({ eventName: 'Viewed', source: 'shop', appVersion: '1.0', environment: 'prod' });

describe.for(['observed_events', 'observed_shapes'] as const)('%s', (table) => {
  test.for(FILTERS)(
    'has an index that begins with the filter %j and is in the order of its page',
    async (filter, { storage }) => {
      const plan = await planOf(storage, table, filter);
      expect(plan).toMatch(/^SEARCH .* USING INDEX/);
      expect(plan).not.toContain('USE TEMP B-TREE');
      for (const [column] of chooseOrder(filter).fixed) expect(plan).toContain(`${column}=?`);
    },
  );
});

async function planOf(storage: Storage, table: string, filter: ReportFilter): Promise<string> {
  const { fixed, sorted } = chooseOrder(filter);
  const columns = table === 'observed_shapes' ? [...sorted, 'shape_id'] : sorted;
  const order = columns.length === 0 ? sql`` : sql` order by ${sql.join(columns.map((column) => sql.ref(column)))}`;
  const conditions = [['workspace_id', 'demo'] as const, ...fixed].map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  );
  const { rows } = await sql<{ detail: string }>`explain query plan select * from ${sql.table(table)}
    where ${sql.join(conditions, sql` and `)}${order} limit 51`.execute(storage.db);
  return rows.map(({ detail }) => detail).join('\n');
}
