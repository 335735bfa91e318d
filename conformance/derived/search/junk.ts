import * as fc from 'fast-check';
import type { Json } from '@branchline/contract';

/** What may stand where something else belongs; `undefined`: nothing. */
export const junk: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constantFrom<(Json | undefined)[]>(
    undefined,
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 31,
    1e20,
    -1e20,
    '',
    'x',
    '😀',
    '\u0000',
    [],
    {},
  ),
  fc.constantFrom<Json[]>([null], { x: null }, [[]], 'x'.repeat(300), '漢'.repeat(300)),
  fc.string().map((text): Json => text),
);

/** The same for a parameter. Nothing that a lenient server may take for another spelling of something valid. */
export const junkTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'nothing-like-it',
    '-1',
    '1.5',
    '99999999999999999999999',
    '-99999999999',
    '😀',
    '%00',
    "'",
    'x'.repeat(1_200),
  ),
  fc.integer().map(String),
  fc.string({ minLength: 1, unit: 'grapheme' }),
);
