import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printKdoc } from './kdoc.ts';

test('a short description takes one line', () => {
  expect(printKdoc('  What   it is. ')).toEqual(['/** What it is. */']);
});

test('a long one is wrapped, and its paragraphs are kept', () => {
  const lines = printKdoc(`${'word '.repeat(40)}\n\nAnother.`);
  expect([lines[0], lines.at(-3), lines.at(-2), lines.at(-1)]).toEqual(['/**', ' *', ' * Another.', ' */']);
  for (const line of lines) expect(line.length).toBeLessThan(120);
});

test('no description ends its comment, or begins another in it', () => {
  const part = fc.constantFrom('*', '/', ' ', '\n', 'a');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const inside = printKdoc(`a${parts.join('')}a`)
        .join('\n')
        .slice(3, -2);
      expect(inside).not.toMatch(/\/\*|\*\//);
    }),
    { seed: 1 },
  );
});
