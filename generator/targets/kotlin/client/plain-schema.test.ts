import { expect, test } from 'vitest';
import type { Contract, Reference, Schema } from '@branchline/contract';
import { simplifySchema } from './plain-schema.ts';

const cat = {
  type: 'object',
  required: ['kind', 'name'],
  properties: { kind: { const: 'cat' }, name: { type: 'string' } },
};
const dog = { required: ['kind'], properties: { kind: { const: 'dog' }, weight: { type: 'number' } } };
const schemas: Record<string, Schema> = {
  Cat: cat,
  Dog: dog,
  Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }] },
};

const contract = {
  resolve: <T>(value: T | Reference): unknown =>
    typeof value === 'object' && value !== null && '$ref' in value
      ? schemas[String(value.$ref).replace('#/components/schemas/', '')]
      : value,
} as Contract;

const ref = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const anything = {};

test.each<{ what: string; given: unknown; want: object }>([
  { what: 'a reference', given: ref('Cat'), want: ref('Cat') },
  { what: 'anything', given: true, want: anything },
  { what: 'a text with rules', given: { type: 'string', format: 'uuid', maxLength: 3, default: 'a' }, want: text },
  {
    what: 'a large number',
    given: { type: 'integer', format: 'int64', minimum: 3 },
    want: { type: 'integer', format: 'int64' },
  },
  { what: 'a constant', given: { const: 'cat' }, want: text },
  { what: 'a nullable', given: { type: ['string', 'null'] }, want: { type: 'string', nullable: true } },
  { what: 'one of two types', given: { type: ['string', 'integer'] }, want: anything },
  { what: 'an enumeration', given: { enum: ['a', 'b', 'a'] }, want: { type: 'string', enum: ['a', 'b'] } },
  { what: 'numbers to choose from', given: { type: 'integer', enum: [1, 2] }, want: { type: 'integer' } },
  { what: 'a list', given: { type: 'array', items: text, minItems: 1 }, want: { type: 'array', items: text } },
  { what: 'a map', given: { additionalProperties: text }, want: { type: 'object', additionalProperties: text } },
  {
    what: 'an object of which nothing is said',
    given: { type: 'object' },
    want: { type: 'object', additionalProperties: anything },
  },
  {
    what: 'a class that may hold more',
    given: { properties: { a: text }, additionalProperties: true, required: ['a'] },
    want: { type: 'object', required: ['a'], properties: { a: text } },
  },
  {
    what: 'properties that one side alone sends',
    given: { properties: { a: { ...text, readOnly: true }, b: { ...text, writeOnly: true } }, required: ['a', 'b'] },
    want: { type: 'object', required: [], properties: { a: text, b: text } },
  },
  {
    what: 'allOf: later properties win',
    given: { allOf: [{ properties: { a: { type: 'array' } }, required: ['a'] }, { properties: { a: text, b: text } }] },
    want: { type: 'object', required: ['a'], properties: { a: text, b: text } },
  },
  {
    what: 'a choice of classes: what every one requires is required',
    given: { oneOf: [ref('Cat'), ref('Dog')] },
    want: { type: 'object', required: ['kind'], properties: { kind: text, name: text, weight: { type: 'number' } } },
  },
  { what: 'a choice with null', given: { anyOf: [text, { type: 'null' }] }, want: { type: 'string', nullable: true } },
  { what: 'a reference with more words', given: { allOf: [ref('Cat')], description: 'A cat.' }, want: ref('Cat') },
  {
    what: 'a reference or null',
    given: { anyOf: [ref('Cat'), { type: 'null' }] },
    want: { allOf: [ref('Cat')], nullable: true },
  },
  { what: 'a choice of kinds', given: { oneOf: [text, ref('Cat')] }, want: anything },
  { what: 'what refers to itself', given: ref('Loop'), want: ref('Loop') },
  { what: 'parts that refer to themselves', given: { allOf: [ref('Loop'), ref('Loop')] }, want: anything },
  {
    what: 'a description',
    given: { ...text, description: 'A word.' },
    want: { ...text, 'x-kdoc': ['/** A word. */'] },
  },
])('$what', ({ given, want }) => {
  expect(simplifySchema(contract, given)).toEqual(want);
});
