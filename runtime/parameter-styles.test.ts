import { describe, expect, test } from 'vitest';
import { readFromQuery, readFromText, splitQuery } from './parameter-styles.ts';
import type { ParameterPlan, StylePlan } from './plan.ts';

const color: ParameterPlan = {
  in: 'path',
  name: 'color',
  key: 'color',
  required: true,
  style: 'simple',
  explode: false,
  shape: 'value',
  numeric: false,
  properties: [],
};
const array = ['blue', 'black', 'brown'];
const object = { R: '100', G: '200', B: '150' };

/** The table of OpenAPI 3.1, "Style Examples". */
describe('the examples of the OpenAPI specification', () => {
  test.each([
    { style: 'matrix', explode: false, shape: 'value', text: ';color=blue', want: 'blue' },
    { style: 'matrix', explode: false, shape: 'array', text: ';color=blue,black,brown', want: array },
    { style: 'matrix', explode: false, shape: 'object', text: ';color=R,100,G,200,B,150', want: object },
    { style: 'matrix', explode: true, shape: 'array', text: ';color=blue;color=black;color=brown', want: array },
    { style: 'matrix', explode: true, shape: 'object', text: ';R=100;G=200;B=150', want: object },
    { style: 'label', explode: false, shape: 'value', text: '.blue', want: 'blue' },
    { style: 'label', explode: false, shape: 'array', text: '.blue,black,brown', want: array },
    { style: 'label', explode: true, shape: 'array', text: '.blue.black.brown', want: array },
    { style: 'label', explode: true, shape: 'object', text: '.R=100.G=200.B=150', want: object },
    { style: 'simple', explode: false, shape: 'array', text: 'blue,black,brown', want: array },
    { style: 'simple', explode: false, shape: 'object', text: 'R,100,G,200,B,150', want: object },
    { style: 'simple', explode: true, shape: 'object', text: 'R=100,G=200,B=150', want: object },
  ] as const)('$style, explode $explode: $text', ({ text, want, ...how }) => {
    expect(readFromText({ ...color, ...how }, text)).toEqual(want);
  });

  test.each([
    { style: 'form', explode: true, shape: 'array', text: 'color=blue&color=black&color=brown', want: array },
    { style: 'form', explode: false, shape: 'array', text: 'color=blue,black,brown', want: array },
    { style: 'form', explode: false, shape: 'object', text: 'color=R,100,G,200,B,150', want: object },
    { style: 'form', explode: true, shape: 'object', text: 'R=100&G=200&B=150', want: object },
    { style: 'spaceDelimited', explode: false, shape: 'array', text: 'color=blue%20black%20brown', want: array },
    { style: 'pipeDelimited', explode: false, shape: 'array', text: 'color=blue%7Cblack%7Cbrown', want: array },
    {
      style: 'deepObject',
      explode: true,
      shape: 'object',
      text: 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
      want: object,
    },
  ] as const)('$style, explode $explode: ?$text', ({ text, want, ...how }) => {
    expect(readFromQuery({ ...color, ...how }, splitQuery(text), new Set(['color']))).toEqual(want);
  });
});

test('an exploded object takes no field that another parameter has', () => {
  const plan: ParameterPlan = { ...color, style: 'form', explode: true, shape: 'object' };
  expect(readFromQuery(plan, splitQuery('R=1&limit=2'), new Set(['color', 'limit']))).toEqual({ R: '1' });
});

test('what is not there is undefined', () => {
  for (const shape of ['value', 'array', 'object'] as const) {
    expect(readFromQuery({ ...color, shape, style: 'form' }, splitQuery(''), new Set())).toBeUndefined();
  }
});

describe('deepObject, where it is deeper than OpenAPI says', () => {
  const filter: StylePlan = { key: 'f', style: 'deepObject', explode: true, shape: 'object', properties: [] };
  test.each([
    { text: 'f[a]=1&f[b][c]=2&f[b][d]=3', want: { a: '1', b: { c: '2', d: '3' } } },
    { text: 'f[a][]=1&f[a][]=2&f[b][]=3', want: { a: ['1', '2'], b: ['3'] } },
    { text: 'f[a][0][x]=1&f[a][1][x]=2', want: { a: [{ x: '1' }, { x: '2' }] } },
    { text: 'f%5Ba%5D=1+2&f[a b]=%5B', want: { a: '1 2', 'a b': '[' } },
    { text: 'f[a]=1&f[a][b]=2&f=3', want: { a: '1' } },
    { text: 'f[__proto__][x]=1', want: Object.fromEntries([['__proto__', { x: '1' }]]) },
    { text: `f${'[a]'.repeat(100_000)}=1`, want: undefined },
  ])('$text', ({ text, want }) => {
    expect(readFromQuery(filter, splitQuery(text), new Set(['f']))).toEqual(want);
  });

  test('may be a plain value where the schema allows that', () => {
    expect(readFromQuery({ ...filter, shape: 'value' }, splitQuery('f='), new Set(['f']))).toBe('');
  });
});
