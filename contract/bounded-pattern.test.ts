import { expect, test } from 'vitest';
import { schemaValidators } from './schemas.ts';

const validators = schemaValidators(
  { fast: { pattern: '^a+$' }, slow: { pattern: '^(x+x+)+y$' } },
  { boundsPatterns: true },
);

test('a pattern means the same by the clock', () => {
  expect(validators('/fast')('a'.repeat(1_000))).toBe(true);
  expect(validators('/fast')(`${'a'.repeat(1_000)}b`)).toBe(false);
});

test('a pattern that takes for ever is given up', () => {
  expect(validators('/slow')('xxxy')).toBe(true);
  expect(() => validators('/slow')('x'.repeat(36))).toThrow(
    'The pattern "^(x+x+)+y$" takes more than 2 seconds for a text of 36 characters; write it without',
  );
});
