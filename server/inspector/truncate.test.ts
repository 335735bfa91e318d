import { expect, test } from 'vitest';
import { truncate, quote } from './truncate.ts';

test('a short text stands as it is', () => {
  expect(quote('price')).toBe('"price"');
});

test('a long text is cut to 100 characters', () => {
  expect(quote('x'.repeat(5_000))).toBe(`"${'x'.repeat(99)}…"`);
});

test('a text of exactly the length is not cut, and characters outside the BMP count once', () => {
  expect(truncate('😀'.repeat(100), 100)).toBe('😀'.repeat(100));
  expect(truncate('😀'.repeat(101), 100)).toBe(`${'😀'.repeat(99)}…`);
});

test('half a surrogate pair counts as one character, which every engine stores', () => {
  expect(truncate('\ud800'.repeat(3), 3)).toBe('\ufffd'.repeat(3));
  expect(truncate(`a\udc00${'\ud800'.repeat(3)}`, 3)).toBe('a\ufffd…');
});
