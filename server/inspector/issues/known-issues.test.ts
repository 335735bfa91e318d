// @module-tag both-engines
import { expect } from 'vitest';
import { lockLiveWorkspace } from '../../storage/live-workspace.ts';
import type { Storage } from '../../storage/storage.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { NOW } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { Issues, type KnownIssue } from './issues.ts';

const EVENT = { event_key: 'paid', source: 'shop', environment: 'prod' } as const;

const ABOUT = { ...EVENT, event_name: 'Paid', app_version: '1.0', kind: 'typeConflict', compared_with: 'int' } as const;

/** A property whose path is long, as those in objects with long names are. */
const findingOf = (property: number, at = NOW) => ({
  ...ABOUT,
  path_key: `key ${property}`,
  path: JSON.stringify(['x'.repeat(10_000), `property ${property}`]),
  at,
});

/** Adds findings in a transaction, as they are found. */
function add(storage: Storage, findings: readonly ReturnType<typeof findingOf>[]): Promise<KnownIssue[]> {
  return storage.write(async (tx) => {
    await lockLiveWorkspace(tx, 'demo');
    const issues = await Issues.of(tx, 'demo', [EVENT]);
    const known = issues.all();
    for (const finding of findings) issues.add(finding, () => 0);
    await issues.save(tx);
    return known;
  });
}

test('what is known of issues is read and written without their texts, which stay', async ({ storage }) => {
  await add(
    storage,
    Array.from({ length: 100 }, (_, property) => findingOf(property)),
  );
  const known = await add(storage, [findingOf(7, NOW + 1)]);
  expect(known).toHaveLength(100);
  expect(JSON.stringify(known).length).toBeLessThan(100_000);
  const stored = await ofTest(storage).db.selectFrom('issues').selectAll().where('path_key', '=', 'key 7').execute();
  expect(stored).toEqual([
    expect.objectContaining({ event_name: 'Paid', path: findingOf(7).path, first_seen: NOW, last_seen: NOW + 1 }),
  ]);
});

test('an issue that is found twice before it is stored has its texts', async ({ storage }) => {
  await add(storage, [findingOf(1), findingOf(1, NOW + 1)]);
  const stored = await ofTest(storage).db.selectFrom('issues').selectAll().execute();
  expect(stored).toEqual([
    expect.objectContaining({ event_name: 'Paid', path: findingOf(1).path, last_seen: NOW + 1 }),
  ]);
});
