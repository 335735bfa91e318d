import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractSchemas } from './contract-schemas.ts';

const validate = contractSchemas({}).compile({ type: 'array', uniqueItems: true });

/** An object whose members are read counts each time. */
function countReads(count: number): { items: unknown[]; reads: () => number } {
  let reads = 0;
  const items = Array.from({ length: count }, (_, at) => ({
    get at() {
      reads += 1;
      return at;
    },
  }));
  return { items, reads: () => reads };
}

describe('a list of unique items', () => {
  it('is told from one that has any twice, whatever they are', () => {
    const scalar = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.double({ noNaN: true }), fc.constantFrom('', '0', 'a'));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.oneof(scalar, fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 12 }), (given) => {
        const items: unknown[] = JSON.parse(JSON.stringify(given));
        const isTwice = items.some((item, at) => items.slice(0, at).some((other) => isDeepStrictEqual(item, other)));
        expect(validate(items)).toBe(!isTwice);
        if (isTwice) expect(validate.errors).toMatchObject([{ keyword: 'uniqueItems', instancePath: '' }]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['[{"a":1,"b":[{"c":1,"d":2}]},{"b":[{"d":2,"c":1}],"a":1}]', false],
    ['[0,-0]', false],
    ['["1",1,true,"true",null,"null",0,false,"",[],{},[[]],[{}],"[]","{}"]', true],
    ['[{"a":1},{"b":1},{"a":2},{"a":"1"},{"a":[1]},{"a":{"a":1}}]', true],
    ['[]', true],
  ])('%s: %s', (text, isUnique) => {
    expect(validate(JSON.parse(text))).toBe(isUnique);
  });

  it('looks at each a few times, however many there are', () => {
    const { items, reads } = countReads(2_000);
    expect(validate(items)).toBe(true);
    expect(reads()).toBeLessThan(4 * 2_000);
  });

  it.each([
    [{ items: { type: 'string' } }, 'type'],
    [{ prefixItems: [{}], unevaluatedItems: false }, 'uniqueItems'],
  ])('is told before or after what else is wrong, as ever: %j', (more, keyword) => {
    const strict = contractSchemas({}).compile({ type: 'array', uniqueItems: true, ...more });
    expect(strict([1, 1])).toBe(false);
    expect(strict.errors).toMatchObject([{ keyword }]);
  });

  it('is any list where the contract does not ask for it', () => {
    expect(contractSchemas({}).compile({ type: 'array', uniqueItems: false })([1, 1])).toBe(true);
  });
});
