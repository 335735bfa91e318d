import { expect, it } from 'vitest';
import { type CountedShape, PropertySums } from './property-sums.ts';

const PER_SHAPE = 10;

/** Shapes of which each has properties of its own, and every second one a property of the one before. */
const shapes = Array.from({ length: 200 }, (_, index): CountedShape => {
  const names = Array.from(
    { length: PER_SHAPE },
    (_, n) => `p${(index * 7_919 + n * 104_729 - (index % 2) * 7_919) % 9_973}`,
  );
  return {
    shape_id: String(index),
    source: 'app',
    environment: 'prod',
    count: 1,
    first_seen: index,
    last_seen: index,
    schema: JSON.stringify(names.map((name) => ({ name, type: 'int' }))),
  };
});

function sum(bounds: { after: string; most: number }) {
  const sums = new PropertySums(bounds);
  for (const shape of shapes) sums.add(shape);
  return sums.properties();
}

it.each(['', '["p3000"', '["p9"'])('has the first properties after %s as if it had kept all', (after) => {
  const all = sum({ after: '', most: Infinity });
  expect(all.length).toBeGreaterThan(100);
  const expected = all.filter(({ orderKey }) => orderKey > after).slice(0, 5);
  const kept = sum({ after, most: 5 });
  expect(kept.slice(0, 5)).toEqual(expected);
  expect(kept.length).toBeLessThanOrEqual(2 * 5 + PER_SHAPE);
});

it('has an object before its properties', () => {
  const sums = new PropertySums({ after: '', most: Infinity });
  const [shape] = shapes;
  if (shape === undefined) throw new Error('There is no shape.');
  const properties = [{ name: 'age', type: 'int' }];
  sums.add({
    ...shape,
    schema: JSON.stringify([
      { name: 'user', type: 'object', properties },
      { name: 'id', type: 'int' },
    ]),
  });
  expect(sums.properties().map(({ path }) => path)).toEqual([['id'], ['user'], ['user', 'age']]);
});
