import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldedEventKey } from './folded-name.ts';

const ABOVE = '\u0300';
const BELOW = '\u0316';

it.each([1, 15])('%i marks of a kind are the same in any order', (count) => {
  const orders = [ABOVE.repeat(count) + BELOW.repeat(count), BELOW.repeat(count) + ABOVE.repeat(count)];
  expect(new Set(orders.map((marks) => foldedEventKey(`p${marks}`))).size).toBe(1);
});

it('more marks than 30 in a row are not ordered, which would cost the square of their number', () => {
  const orders = [ABOVE.repeat(100) + BELOW.repeat(100), BELOW.repeat(100) + ABOVE.repeat(100)];
  expect(new Set(orders.map((marks) => foldedEventKey(`p${marks}`))).size).toBe(2);
});

it('a name of fewer is the same however it is composed', () => {
  const unit = fc.constantFrom('a', 'É', 'ﬁ', '가', 'ᄀ', 'ᅡ', ABOVE, BELOW, '\u0344', '\u0345');
  fc.assert(
    fc.property(fc.string({ unit, minLength: 1, maxLength: 15 }), (name) => {
      expect(foldedEventKey(name)).toBe(foldedEventKey(name.normalize('NFD')));
      expect(foldedEventKey(name)).toBe(foldedEventKey(name.normalize('NFKC')));
    }),
  );
});

it('a name is the same in either case and with separators also in Greek, where the end of a word has a letter of its own', () => {
  expect(foldedEventKey('ΟΔΟΣ_Α')).toBe(foldedEventKey('οδοσα'));
  expect(foldedEventKey('ΟΔΟΣ')).toBe(foldedEventKey('οδοσ'));
});
