import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedKey, digest } from './keys.ts';

test('a short text is its own key', () => {
  expect(boundedKey('Product Viewed')).toBe('Product Viewed');
});

test('texts that begin alike have different keys', () => {
  const long = 'x'.repeat(1_000);
  expect(boundedKey(`${long}a`)).not.toBe(boundedKey(`${long}b`));
});

test('no text is the key of another', () => {
  const key = boundedKey('x'.repeat(1_000));
  expect(boundedKey(key)).not.toBe(key);
});

test('keys stay small enough for index rows', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1_024, size: 'medium' }), (text) => {
      expect(Buffer.byteLength(boundedKey(text))).toBeLessThanOrEqual(180);
    }),
  );
  expect(Buffer.byteLength(boundedKey('😀'.repeat(1_024)))).toBeLessThanOrEqual(180);
});

test('the key of a long text begins with its first 128 bytes', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 140 }),
        fc.constantFrom('\ud83d', '漢'.repeat(50), '😀'.repeat(70)),
      ),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (long) => {
      const bytes = Buffer.from(long);
      fc.pre(bytes.length > 128);
      expect(boundedKey(long)).toBe(`${bytes.subarray(0, 128).toString()}…${digest(long)}`);
    }),
  );
});
