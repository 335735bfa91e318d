import { expect, test } from 'vitest';
import { cut, quoted } from './quoted.ts';

test('a short text stands as it is', () => {
  expect(quoted('price')).toBe('"price"');
});

test('a long text is cut to 100 characters', () => {
  expect(quoted('x'.repeat(5_000))).toBe(`"${'x'.repeat(99)}…"`);
});

test('a text of exactly the length is not cut, and characters outside the BMP count once', () => {
  expect(cut('😀'.repeat(100), 100)).toBe('😀'.repeat(100));
  expect(cut('😀'.repeat(101), 100)).toBe(`${'😀'.repeat(99)}…`);
});
