// @module-tag both-engines
import { expect } from 'vitest';
import { settleCounts } from '../ingest/pending-counts.ts';
import { boundedKey } from '../keys.ts';
import { batch, event, KEY, NOW, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { watchJson } from '../testing/json-work.ts';
import { propertyCounts, readPlaceProfile } from './place-profile.ts';

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
  const place = { workspace_id: 'demo', source: KEY.source, environment: 'prod', app_version: '1.0' } as const;
  const profile = await readPlaceProfile(storage.db, { ...place, first_seen: NOW, due_at: null });
  if (profile === undefined) throw new Error('It sent less.');
  const { charactersParsed, mostBetweenTurns } = await watchJson(async () => {
    const { counts, count, isWhole } = await propertyCounts(storage.db, 'demo', profile, boundedKey('Viewed'));
    expect([counts.size, count, isWhole]).toEqual([PROPERTIES, SHAPES - 1, false]);
  });
  expect(charactersParsed).toBeGreaterThan(10 * CHARACTERS_IN_A_TURN);
  expect(mostBetweenTurns).toBeLessThan(2 * CHARACTERS_IN_A_TURN + ROOM);
});
