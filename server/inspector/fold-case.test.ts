import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldCase } from './fold-case.ts';

const letter = fc.oneof(
  fc.constantFrom(...'ΣσςΑ İIıßſk.'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);
const text = fc.array(letter).map((letters) => letters.join(''));

it('a text contains each part of it', () => {
  fc.assert(
    fc.property(text, text, text, (before, part, after) => {
      expect(foldCase(before + part + after)).toContain(foldCase(part));
    }),
  );
});

it('a text is equal to itself in upper case, letter by letter', () => {
  for (const name of ['ΟΔΟΣ Α', 'Οδος', 'ÉCRAN', 'Экран']) {
    expect(foldCase(name.toUpperCase())).toBe(foldCase(name.toLowerCase()));
  }
});
