import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParameterPlan } from './plan.ts';
import { cookieText, headerText, pathText, queryTexts } from './styles.ts';
import { readFromQuery, readFromText, splitQuery } from '../../../../runtime/parameter-styles.ts';

const color: ParameterPlan = { in: 'path', name: 'color', style: 'simple', explode: false };
const list = ['blue', 'black', 'brown'];
const fields = { R: 100, G: 200, B: 150 };

/** The table of OpenAPI 3.1, "Style Examples"; delimiters of the last two rows are encoded, as RFC 3986 wants. */
describe('the examples of the OpenAPI specification', () => {
  test.each([
    { style: 'matrix', explode: false, value: 'blue', text: ';color=blue' },
    { style: 'matrix', explode: false, value: list, text: ';color=blue,black,brown' },
    { style: 'matrix', explode: false, value: fields, text: ';color=R,100,G,200,B,150' },
    { style: 'matrix', explode: true, value: list, text: ';color=blue;color=black;color=brown' },
    { style: 'matrix', explode: true, value: fields, text: ';R=100;G=200;B=150' },
    { style: 'label', explode: false, value: 'blue', text: '.blue' },
    { style: 'label', explode: false, value: list, text: '.blue,black,brown' },
    { style: 'label', explode: true, value: list, text: '.blue.black.brown' },
    { style: 'label', explode: true, value: fields, text: '.R=100.G=200.B=150' },
    { style: 'simple', explode: false, value: list, text: 'blue,black,brown' },
    { style: 'simple', explode: false, value: fields, text: 'R,100,G,200,B,150' },
    { style: 'simple', explode: true, value: fields, text: 'R=100,G=200,B=150' },
  ])('$style, explode $explode: $text', ({ value, text, ...how }) => {
    expect(pathText({ ...color, ...how }, value)).toBe(text);
  });

  test.each([
    { style: 'form', explode: false, value: '', text: 'color=' },
    { style: 'form', explode: true, value: list, text: 'color=blue&color=black&color=brown' },
    { style: 'form', explode: false, value: list, text: 'color=blue,black,brown' },
    { style: 'form', explode: false, value: fields, text: 'color=R,100,G,200,B,150' },
    { style: 'form', explode: true, value: fields, text: 'R=100&G=200&B=150' },
    { style: 'spaceDelimited', explode: false, value: list, text: 'color=blue%20black%20brown' },
    { style: 'pipeDelimited', explode: false, value: list, text: 'color=blue%7Cblack%7Cbrown' },
    { style: 'deepObject', explode: true, value: fields, text: 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150' },
  ])('$style, explode $explode: ?$text', ({ value, text, ...how }) => {
    expect(queryTexts({ ...color, ...how }, value).join('&')).toBe(text);
  });
});

/** What the generated client writes, the generated server reads. */
describe('a server reads what a client writes', () => {
  const server = { key: 'color', properties: [], numeric: false, required: true };
  // What delimits values can't be told from a part of one once it is decoded: with those styles the two agree on all else.
  const plain = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[,.;=|\s]/gu, '_').trim());
  const word = plain.filter((text) => text !== '' && text !== 'color');
  const words = fc.array(word, { minLength: 1 });
  const record = fc.dictionary(word, word, { minKeys: 1, noNullPrototype: true });
  const shapes = [
    { shape: 'value', values: word },
    { shape: 'array', values: words },
    { shape: 'object', values: record },
  ] as const;
  const styles = [
    ['path', 'simple'],
    ['path', 'label'],
    ['path', 'matrix'],
    ['header', 'simple'],
    ['cookie', 'form'],
    ['query', 'form'],
    ['query', 'spaceDelimited'],
    ['query', 'pipeDelimited'],
  ] as const;
  const cases = styles.flatMap(([place, style]) =>
    shapes.flatMap(({ shape, values }) => [true, false].map((explode) => ({ place, style, shape, explode, values }))),
  );

  test.each(cases)('$place, $style, $shape, explode $explode', ({ place, style, shape, explode, values }) => {
    const client: ParameterPlan = { in: place, name: 'color', style, explode };
    const plan = { ...client, ...server, shape };
    fc.assert(
      fc.property(values as fc.Arbitrary<unknown>, (value) => {
        expect(readBack(place, client, plan, value)).toEqual(value);
      }),
    );
  });

  test('deepObject, to any depth', () => {
    const client: ParameterPlan = { in: 'query', name: 'color', style: 'deepObject', explode: true };
    const key = word.filter((text) => !/[[\]]/.test(text) && !/^\d+$/.test(text));
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, word, fc.dictionary(key, tie('tree'), { minKeys: 1, noNullPrototype: true })),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, tree, { minKeys: 1, noNullPrototype: true }), (value) => {
        expect(readBack('query', client, { ...client, ...server, shape: 'object' }, value)).toEqual(value);
      }),
    );
  });
});

type ServerPlan = Parameters<typeof readFromText>[0];

function readBack(place: ParameterPlan['in'], client: ParameterPlan, server: ServerPlan, value: unknown): unknown {
  if (place === 'query')
    return readFromQuery(server, splitQuery(queryTexts(client, value).join('&')), new Set(['color']));
  if (place === 'header') return readFromText(server, headerText(client, value));
  const text = place === 'path' ? pathText(client, value) : cookieText(client, value);
  return readFromText(server, decodeURIComponent(text));
}
