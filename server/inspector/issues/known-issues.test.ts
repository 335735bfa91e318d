// @module-tag both-engines
import { expect } from 'vitest';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { NOW } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { Issues } from './issues.ts';

const EVENT = { event_key: 'paid', source: 'shop', environment: 'prod' } as const;

const ABOUT = { ...EVENT, event_name: 'Paid', app_version: '1.0', kind: 'typeConflict', compared_with: 'int' } as const;

/** A property whose path is long, as those in objects with long names are. */
const findingOf = (property: number, at = NOW) => ({
  ...ABOUT,
  path_key: `key ${property}`,
  path: JSON.stringify(['x'.repeat(10_000), `property ${property}`]),
  at,
});

test('what is known of issues is read and written without their texts, which stay', async ({ storage }) => {
  await storage.write(async (tx) => {
    const issues = await Issues.of(tx, 'demo', [EVENT]);
    for (let property = 0; property < 100; property += 1) issues.add(findingOf(property), () => 0);
    await issues.save(tx);
  });
  const known = await storage.write(async (tx) => {
    const issues = await Issues.of(tx, 'demo', [EVENT]);
    const all = issues.all();
    issues.add(findingOf(7, NOW + 1), () => 0);
    await issues.save(tx);
    return all;
  });
  expect(known).toHaveLength(100);
  expect(JSON.stringify(known).length).toBeLessThan(100_000);
  const stored = await ofTest(storage).db.selectFrom('issues').selectAll().where('path_key', '=', 'key 7').execute();
  expect(stored).toEqual([
    expect.objectContaining({ event_name: 'Paid', path: findingOf(7).path, first_seen: NOW, last_seen: NOW + 1 }),
  ]);
});

test('an issue that is found twice before it is stored has its texts', async ({ storage }) => {
  await storage.write(async (tx) => {
    const issues = await Issues.of(tx, 'demo', [EVENT]);
    issues.add(findingOf(1), () => 0);
    issues.add(findingOf(1, NOW + 1), () => 0);
    await issues.save(tx);
  });
  const stored = await ofTest(storage).db.selectFrom('issues').selectAll().execute();
  expect(stored).toEqual([
    expect.objectContaining({ event_name: 'Paid', path: findingOf(1).path, last_seen: NOW + 1 }),
  ]);
});
