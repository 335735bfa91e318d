// @module-tag both-engines
import { expect } from 'vitest';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { deriveShape } from '../shape.ts';
import { uuid } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { watchJson } from '../testing/json-work.ts';
import { KnownShapes } from './known-shapes.ts';

const SHAPES = 300;

test('many shapes of events with long names are found in turns', async ({ storage }) => {
  const shapes = Array.from({ length: SHAPES }, (_, event) =>
    deriveShape(
      `${'漢'.repeat(1_000)} ${event}`,
      Array.from({ length: 20 }, (_, at) => ({ name: `property ${at}`, type: 'int' as const })),
    ),
  );
  const rows = shapes.map(({ id, eventKey, schema }) => ({
    workspace_id: 'demo',
    event_key: eventKey,
    shape_id: id,
    schema,
  }));
  await ofTest(storage).db.insertInto('shapes').values(rows).execute();
  const events = shapes.map(({ id, eventName }, index) => ({
    index,
    messageId: uuid(index),
    slot: 'seen_messages_0' as const,
    eventName,
    shapeId: id,
  }));
  const known = new KnownShapes(storage);
  const work = await watchJson(async () => {
    const { valid, unknownShapeIds } = await known.resolve('demo', events);
    expect(valid.map(({ shape }) => shape)).toEqual(shapes);
    expect(unknownShapeIds).toEqual([]);
  });
  expect(work.charactersParsed).toBeGreaterThan(200_000);
  expect(work.mostBetweenTurns).toBeLessThan(32_768);
});
