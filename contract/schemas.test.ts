import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { schemaValidators } from './schemas.ts';

describe('a schema of a contract', () => {
  it.each([true, false])(
    'judges a value that is nested deep once by each that it chooses from: all errors: %s',
    (allErrors) => {
      const one = { $ref: 'contract#/Value' };
      const lists = [one, { anyOf: [one, { type: 'boolean' }] }].map((items) => ({ type: 'array', items }));
      const validate = schemaValidators({ Value: { anyOf: [{ type: 'string' }, ...lists] } }, { allErrors })('/Value');
      const depth = 60;
      let reads = 0;
      const nest = (innermost: unknown): unknown => {
        let value = innermost;
        for (let level = 0; level < depth; level += 1) {
          const inner = value;
          const get = (): unknown => {
            reads += 1;
            if (reads > 100 * depth) throw new Error('It is read for ever.');
            return inner;
          };
          value = Object.defineProperty([0], 0, { get, enumerable: true });
        }
        return value;
      };
      expect(validate(nest('text'))).toBe(true);
      expect(validate(nest(true))).toBe(true);
      reads = 0;
      expect(validate(nest(1))).toBe(false);
      expect(validate.errors?.length).toBeLessThan(depth * 20);
    },
  );

  it.each([
    ['19.99', 0.01, true],
    ['0.07', 0.01, true],
    ['1.005', 0.01, false],
    ['1e300', 0.01, true],
  ])('takes %s for a multiple of %d: %s', (text, multipleOf, isValid) => {
    for (const fromText of [false, true]) {
      const validate = schemaValidators({ Price: { type: 'number', multipleOf } }, { fromText })('/Price');
      expect(validate(fromText ? text : Number(text))).toBe(isValid);
    }
  });
});

/** Neither imports the other: what generated servers stand on is copied into them. */
it.each(['date-times.ts', 'equality.ts', 'keyword-code.ts', 'multiples.ts', 'remembered-results.ts'])(
  'the judgement is that of generated servers: %s',
  (name) => {
    const read = (folder: string): string => readFileSync(new URL(`../${folder}/${name}`, import.meta.url), 'utf8');
    expect(read('contract')).toBe(read('runtime'));
  },
);
