import { expect, it } from 'vitest';
import { contractSchemas } from './contract-schemas.ts';

const compile = (schema: object) =>
  contractSchemas({
    list: { type: 'array', ...schema },
    address: { type: 'object', required: ['country'], properties: { country: { $ref: '#/country' } } },
    country: { type: 'string' },
  }).compile({ $ref: 'contract#/list' });

const ADDRESS = { country: 'NO' };

it.each([
  [{ contains: { $ref: '#/address' } }, [0, ADDRESS, {}], true],
  [{ contains: { $ref: '#/address' }, minContains: 2 }, [ADDRESS, 0, ADDRESS], true],
  [{ contains: { $ref: '#/address' }, maxContains: 1 }, [ADDRESS, 0, ADDRESS], false],
  [{ contains: { $ref: '#/address' }, minContains: 0 }, [0], true],
  [{ contains: { $ref: '#/address' }, unevaluatedItems: false }, [ADDRESS], true],
])('of %j the list %j is judged as ever', (schema, list, isValid) => {
  expect(compile(schema)(list)).toBe(isValid);
});

it('a list in which none is found has one error, however many it has that are not it', () => {
  const validate = compile({ contains: { $ref: '#/address' } });
  expect(validate(Array.from({ length: 20_000 }, () => ({ country: 1 })))).toBe(false);
  expect(validate.errors?.map(({ keyword }) => keyword)).toEqual(['contains']);
});
