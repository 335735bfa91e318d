// @module-tag both-engines
import { expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { settleCounts } from '../ingest/pending-counts.ts';
import { batch, event, KEY, openIngest } from '../testing/batches.ts';
import { eventProperties } from '../reports/event-properties.ts';
import { test } from '../testing/database.ts';
import { watchJson } from '../testing/json-work.ts';
import { listIssues } from './list.ts';
import { hasUnchecked, lookBeforeReading } from './look-for-issues.ts';

const PROPERTIES = 500;
const SHAPES = 300;

/** Of schemas. */
const CHARACTERS_IN_A_TURN = 64 * 1024;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** For the paths of the issues themselves. */
const ROOM = 8 * 1024;

/** An event whose every property is a string where the number says so, else an int. */
function wide(isString: (index: number) => boolean) {
  const schema = Array.from({ length: PROPERTIES }, (_, index) => ({
    name: `property ${index}`,
    type: isString(index) ? ('string' as const) : ('int' as const),
  }));
  return event({ schema });
}

/** Gives every property two types, and sends shapes of which each has another one as a string. */
async function sendManyShapes(storage: Storage): Promise<void> {
  const ingest = openIngest({ storage });
  await ingest.take(KEY, batch([wide(() => false), wide(() => true)]));
  await lookBeforeReading(storage, 'demo');
  expect(await hasUnchecked(storage, 'demo')).toBe(false);
  const others = Array.from({ length: SHAPES - 2 }, (_, number) => wide((index) => index === number));
  await ingest.take(KEY, batch(others));
  await ingest.close();
  await settleCounts(storage, 'demo');
}

test('many issues of an event with many shapes are told by going over each shape once, in turns', async ({
  storage,
}) => {
  await sendManyShapes(storage);
  const issues = async (limit: number) => (await listIssues(storage, 'demo', { limit }))?.entries ?? [];
  const one = await watchJson(async () => expect(await issues(1)).toHaveLength(1));
  const many = await watchJson(async () => {
    const shares = (await issues(200)).map(({ affectedShare }) => affectedShare ?? 0);
    expect(shares).toHaveLength(200);
    // Of the shapes that were read, none, one or two have it.
    expect(Math.max(...shares)).toBeLessThan(0.01);
  });
  const properties = await watchJson(() => eventProperties(storage, 'demo', { eventName: 'Viewed' }));
  // Each issue is written once, for its size.
  expect(many.textsWritten - one.textsWritten).toBeLessThanOrEqual(200);
  for (const { charactersParsed, mostBetweenTurns } of [one, many, properties]) {
    expect(charactersParsed).toBeGreaterThan(MOST_CHARACTERS);
    expect(charactersParsed).toBeLessThan(MOST_CHARACTERS + CHARACTERS_IN_A_TURN);
    // What is read in one turn may be parsed beside another.
    expect(mostBetweenTurns).toBeLessThan(2 * CHARACTERS_IN_A_TURN + ROOM);
  }
});
