// @module-tag both-engines
import { expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { NOW } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { readsInTurns } from '../testing/reads-in-turns.ts';
import { observedShapes } from './observations-report.ts';
import { readShapes } from './place-shapes.ts';
import { eachTypesInVersion } from './version-types.ts';

const LARGE = JSON.stringify([{ name: 'n'.repeat(50_000), type: 'int' }]);

const PLACE = { source: 'shop', environment: 'prod' } as const;
const VERSION = { ...PLACE, appVersion: '1.0' };

/** The first shapes of the event let expect small ones. */
async function fill(storage: Storage): Promise<void> {
  const { db } = ofTest(storage);
  const of = (index: number) => ({ workspace_id: 'demo', event_key: 'Viewed', shape_id: `shape ${100 + index}` });
  const counts = { count: 1, first_seen: NOW, last_seen: NOW };
  const all = Array.from({ length: 50 }, (_, index) => index);
  const shapes = all.map((index) => ({ ...of(index), schema: index < 10 ? '[]' : LARGE }));
  await db.insertInto('shapes').values(shapes).execute();
  const sightings = all.map((index) => ({ ...of(index), ...PLACE, ...counts }));
  await db.insertInto('source_shapes').values(sightings).execute();
  const inVersion = sightings.map((one) => ({ ...one, app_version: '1.0', event_name: 'Viewed' }));
  await db.insertInto('observed_shapes').values(inVersion).execute();
}

test('of schemas that are larger than the first ones few are read in a turn', async ({ storage }) => {
  await fill(storage);
  const event = { eventName: 'Viewed', ...PLACE };
  const bounds = { shapes: 50, characters: Number.MAX_SAFE_INTEGER };
  let added = 0;
  const turns = await readsInTurns(storage, async () => {
    const page = await observedShapes(storage, 'demo', { limit: 50 });
    expect(page?.entries.length).toBeGreaterThan(10);
    expect(page?.nextCursor).not.toBeNull();
    await readShapes(storage.db, 'demo', event, bounds, () => (added += 1));
    const properties = [{ event_key: 'Viewed', path_key: 'none' }];
    for await (const { types } of eachTypesInVersion(storage.db, 'demo', properties, VERSION)) {
      expect(types.count).toBe(0);
    }
  });
  expect(added).toBe(50);
  expect(Math.max(...turns.map(({ characters }) => characters))).toBeLessThan(80_000);
});
