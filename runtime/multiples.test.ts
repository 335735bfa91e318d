import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractSchemas } from './contract-schemas.ts';
import { isMultiple } from './multiples.ts';

describe('a multiple', () => {
  it.each([
    [19.99, 0.01],
    [0.07, 0.01],
    [4.35, 0.01],
    [-4.35, 0.01],
    [0.3, 0.1],
    [0, 0.01],
    [-0, 0.01],
    [1e21, 0.01],
    [1.5, 0.5],
    [1e308, 1e-300],
    [1.7976931348623157e308, 5e-324],
    [10, -5],
    [9, 3],
  ])('%d is one of %d', (value, of) => {
    expect(isMultiple(value, of)).toBe(true);
  });

  it.each([
    [1.005, 0.01],
    [0.30000000000000004, 0.1],
    [19.990000000000002, 0.01],
    [5e-324, 1e308],
    [1e-7, 1],
    [7, 2],
    [1, 0],
    [0.5, 0],
    [Infinity, 0.01],
    [NaN, 0.01],
  ])('%d is none of %d', (value, of) => {
    expect(isMultiple(value, of)).toBe(false);
  });

  it('is told by the digits that are written, whatever they are', () => {
    const places = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        fc.integer({ min: 1, max: 10_000 }),
        places,
        places,
        (digits, step, many, few) => {
          const most = Math.max(many, few);
          const [value, of] = [Number(`${digits}e-${many}`), Number(`${step}e-${few}`)];
          fc.pre(Math.abs(digits) < 1e15);
          const [all, one] = [BigInt(digits) * 10n ** BigInt(most - many), BigInt(step) * 10n ** BigInt(most - few)];
          expect(isMultiple(value, of)).toBe(all % one === 0n);
        },
      ),
    );
  });

  it('is asked for by a schema, in words that name it', () => {
    const validate = contractSchemas({}).compile({
      type: ['number', 'string'],
      multipleOf: 0.01,
      maximum: 100,
      format: 'int64',
    });
    expect([19.99, 'text', 1.005, 100.001].map((value) => [validate(value), validate.errors?.[0]])).toMatchObject([
      [false, { keyword: 'format' }],
      [true, undefined],
      [false, { keyword: 'multipleOf', message: 'must be multiple of 0.01', params: { multipleOf: 0.01 } }],
      [false, { keyword: 'maximum' }],
    ]);
  });
});
