import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { schemaValidators } from '@branchline/contract';
import { createValues } from './values.ts';

it.each([
  { type: 'number', multipleOf: 0.01, minimum: 0.07, maximum: 20 },
  { type: 'number', multipleOf: 0.1, exclusiveMinimum: -5 },
  { type: 'number', multipleOf: 0.3 },
])('numbers fit their schema, multiples of fractions as well: %j', (schema) => {
  const isValid = schemaValidators({ schema })('/schema');
  const values = fc.sample(createValues({ schema })(schema), { numRuns: 300, seed: 1 });
  expect(values.filter((value) => !isValid(value))).toEqual([]);
});

it('an enumeration may have more values than a call takes as arguments', () => {
  const values = Array.from({ length: 200_000 }, (_, index) => `v${index}`);
  const made = fc.sample(createValues({})({ enum: values }), 20);
  expect(made.filter((one) => !values.includes(String(one)))).toEqual([]);
});
