import { expect, it } from 'vitest';
import { contractSchemas } from './contract-schemas.ts';

const compile = (schema: object) => contractSchemas({ schema }).compile({ $ref: 'contract#/schema' });

const KINDS = { enum: [{ kind: 'a', of: [1, { b: null }] }, [0], 'text', null] };

it.each(['{"of":[1,{"b":null}],"kind":"a"}', '[0]', '[-0]', '"text"', 'null'])('%s is one of those allowed', (text) => {
  expect(compile(KINDS)(JSON.parse(text))).toBe(true);
});

it.each([
  '{"toString":1}',
  '{"valueOf":1}',
  '{"kind":"a","of":[1,{"b":null}],"more":1}',
  '{"kind":"a","of":{"0":1,"1":{"b":null}}}',
  '{"kind":"a","toString":1}',
  '{"kind":"a","of":[1,{"toString":1}]}',
  '{"0":0}',
  '[0,0]',
  '[]',
  '{}',
  '"0"',
])('%s is none of them, nor of a constant', (text) => {
  expect(compile(KINDS)(JSON.parse(text))).toBe(false);
  expect(compile({ const: KINDS.enum[0] })(JSON.parse(text))).toBe(false);
});

it('a constant may be an object', () => {
  expect(compile({ const: { toString: 1 } })(JSON.parse('{"toString":1}'))).toBe(true);
  expect(compile({ const: { toString: 1 } })({})).toBe(false);
});
