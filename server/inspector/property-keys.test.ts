import { expect, test } from 'vitest';
import { derivePropertyKeys } from './property-keys.ts';
import { deriveShape } from './shape.ts';

/** A shape whose paths are far longer than its schema. */
function shapeOf(event: number) {
  const properties = Array.from({ length: 400 }, (_, at) => ({ name: `p${at}`, type: 'int' as const }));
  return deriveShape(`event ${event}`, [{ name: '\u0001'.repeat(150), type: 'object', properties }]);
}

test('the keys of a shape are made once', () => {
  const shape = shapeOf(0);
  const keys = derivePropertyKeys(shape);
  expect(keys).toHaveLength(401);
  expect(derivePropertyKeys(shape)).toBe(keys);
});

test('keys are forgotten where those of many shapes would take more memory than their schemas', () => {
  const shapes = Array.from({ length: 100 }, (_, event) => shapeOf(event));
  const first = shapes.map(derivePropertyKeys);
  const characters = JSON.stringify(first).length;
  const isRemembered = shapes.map((shape, at) => derivePropertyKeys(shape) === first[at]);
  expect(characters).toBeGreaterThan(32 * 1024 * 1024);
  expect(isRemembered.filter(Boolean).length).toBeLessThan(100);
});
