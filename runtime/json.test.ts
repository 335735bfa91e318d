import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from './json.ts';

const parseText = (text: string): unknown => parseJson(Buffer.from(text));

describe('strict JSON', () => {
  test('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        expect(parseText(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('sees a key that is twice in an object, wherever it is and however it is spelled', () => {
    const key = fc.string({ unit: 'binary', maxLength: 6 });
    fc.assert(
      fc.property(key, fc.jsonValue(), fc.nat({ max: 20 }), fc.boolean(), (name, value, depth, escaped) => {
        const json = JSON.stringify(value);
        const second = escaped ? escapedSpelling(name) : JSON.stringify(name);
        const object = `{${JSON.stringify(name)}:${json},"${'x'.repeat(9)}":1,${second}:${json}}`;
        const text = '[{"a":'.repeat(depth) + object + '}]'.repeat(depth);
        expect(() => parseText(text)).toThrow('The body has an object with the same key twice.');
      }),
    );
  });

  test('makes half of a surrogate pair U+FFFD, in keys as in values, and changes nothing else', () => {
    const halfPairs = fc.array(
      fc
        .oneof(fc.nat({ max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff }))
        .map((unit) => String.fromCharCode(unit)),
    );
    fc.assert(
      fc.property(
        halfPairs,
        fc.string({ unit: fc.constantFrom('\\', '"', 'ud800', 'd', '\0', '😀') }),
        (units, more) => {
          const text = units.join('') + more;
          for (const json of [
            JSON.stringify({ [text]: [text] }),
            `{${escapedSpelling(text)}:[${escapedSpelling(text)}]}`,
          ]) {
            expect(parseText(json)).toEqual({ [text.toWellFormed()]: [text.toWellFormed()] });
          }
        },
      ),
    );
    expect(() => parseText('{"\\ud800":1,"\\udfff":2}')).toThrow('The body has an object with the same key twice.');
  });

  test.each([1, 63, 64])('reads %i levels', (depth) => {
    expect(() => parseText('['.repeat(depth) + ']'.repeat(depth))).not.toThrow();
  });

  test('refuses what is not JSON without a stack overflow', () => {
    for (const text of ['', '{', '01', "{'a':1}", '[1,]', 'NaN', '['.repeat(1_000_000)]) {
      expect(() => parseText(text)).toThrow('The body is not valid JSON.');
    }
  });
});

function escapedSpelling(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'));
  return `"${units.map((unit) => String.raw`\u${unit}`).join('')}"`;
}
