import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectOf } from './own-properties.ts';

test('an object has its entries as own properties, whatever they are called', () => {
  const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '0', '10', '2'));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.anything())), (entries) => {
      const made = objectOf(entries);
      const expected = Object.fromEntries(entries);
      expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
      expect(Object.entries(made)).toEqual(Object.entries(expected));
      expect(Object.getOwnPropertyDescriptors(made)).toEqual(Object.getOwnPropertyDescriptors(expected));
    }),
  );
});
