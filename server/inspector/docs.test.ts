// @module-tag sqlite-alone
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { typeConflicts } from './reports/conflict-report.ts';
import type { Batch } from './ingest/ingest.ts';
import { KEY, openIngest } from './testing/batches.ts';
import { test } from './testing/database.ts';

test('docs/ingest.md shows what really is answered', async ({ storage }) => {
  const text = readFileSync(new URL('../../docs/ingest.md', import.meta.url), 'utf8');
  const shown = [...text.matchAll(/^```json\n(.*?)^```/gms)].map(([, block = '']): unknown => JSON.parse(block));
  const [first, receipt, second, secondReceipt, duplicate, byIds, unknown, again, conflicts] = shown;
  const ingest = openIngest({ storage });
  expect(await ingest.take(KEY, first as Batch)).toEqual(receipt);
  expect(await ingest.take(KEY, second as Batch)).toEqual(secondReceipt);
  expect(await ingest.take(KEY, first as Batch)).toEqual(duplicate);
  expect(await ingest.take(KEY, byIds as Batch)).toEqual(unknown);
  expect(await ingest.take(KEY, again as Batch)).toEqual(receipt);
  const { entries, nextCursor } = (await typeConflicts(storage, 'demo', { environment: 'prod' })) ?? {};
  expect({ conflicts: entries, nextCursor }).toEqual(conflicts);
});
