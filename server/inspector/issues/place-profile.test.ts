// @module-tag both-engines
import { expect } from 'vitest';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { settleCounts } from '../ingest/pending-counts.ts';
import { boundedKey } from '../keys.ts';
import { batch, event, KEY, NOW, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { watchJson } from '../testing/json-work.ts';
import { readsInTurns } from '../testing/reads-in-turns.ts';
import { propertyCounts, readPlaceProfile } from './place-profile.ts';

const PLACE = { workspace_id: 'demo', source: KEY.source, environment: 'prod', app_version: '1.0' } as const;

const PROPERTIES = 500;
const SHAPES = 51;

/** Of schemas. */
const CHARACTERS_IN_A_TURN = 64 * 1024;

/** For the rows themselves. */
const ROOM = 8 * 1024;

test('the properties of wide shapes are counted in turns', async ({ storage }) => {
  const ingest = openIngest({ storage });
  // Each has another property as a string.
  for (let shape = 0; shape < SHAPES; shape += 1) {
    const schema = Array.from({ length: PROPERTIES }, (_, index) => ({
      name: `property ${index}`,
      type: index === shape ? ('string' as const) : ('int' as const),
    }));
    await ingest.take(KEY, batch([event({ schema })]));
  }
  await ingest.close();
  await settleCounts(storage, 'demo');
  const profile = await readPlaceProfile(storage.db, PLACE);
  if (profile === undefined) throw new Error('It sent less.');
  const { charactersParsed, mostBetweenTurns } = await watchJson(async () => {
    const { counts, count, isWhole } = await propertyCounts(storage.db, 'demo', profile, boundedKey('Viewed'));
    expect([counts.size, count, isWhole]).toEqual([PROPERTIES, SHAPES - 1, false]);
  });
  expect(charactersParsed).toBeGreaterThan(10 * CHARACTERS_IN_A_TURN);
  expect(mostBetweenTurns).toBeLessThan(2 * CHARACTERS_IN_A_TURN + ROOM);
});

test.for([2_000, 2_001])('long names of %i events are read in turns', async (count, { storage }) => {
  const name = 'あ'.repeat(1_000);
  const rows = Array.from({ length: count }, (_, index) => ({
    ...PLACE,
    event_key: `event ${index}`,
    event_name: `${name} ${index}`,
    shapes: 1,
    count: 2,
    first_seen: NOW,
    last_seen: NOW,
  }));
  for (let start = 0; start < count; start += 500) {
    await ofTest(storage)
      .db.insertInto('observed_events')
      .values(rows.slice(start, start + 500))
      .execute();
  }
  const turns = await readsInTurns(storage, async () => {
    const profile = await readPlaceProfile(storage.db, PLACE);
    expect(profile?.count).toBe(count > 2_000 ? undefined : 2 * count);
    expect(profile?.events.get('event 77')?.event_name).toBe(count > 2_000 ? undefined : `${name} 77`);
  });
  expect(Math.max(...turns.map(({ characters }) => characters))).toBeLessThan(256 * 1024);
});
