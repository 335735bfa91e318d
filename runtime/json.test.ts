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

  test.each([
    ['{"":"","\\\\":""}', '{"":"","\\"":""}', ['', '"']],
    ['{"ab\\\\":1}', '{"ab\\u0063":1}', ['abc']],
    ['{"\\\\":1}', '[{"\\n":{"\\\\":{"\\u005f_proto__":2}}}]', ['\n', '\\', '__proto__']],
  ])('tells escaped keys apart from those that V8 takes them for: %s, %s', (first, second, keys) => {
    parseText(first);
    const found: string[] = [];
    const collect = (value: unknown): void => {
      for (const [key, member] of Object.entries(Object(value))) {
        if (!Array.isArray(value)) found.push(key);
        collect(member);
      }
    };
    collect(parseText(second));
    expect(found).toEqual(keys);
  });

  test.each(['{"\\u0061":1}"', '{"\\u0061":1}"\\', '{"\\x":1}', '{"\\u0061"\u00a0:1}', '{"a\\n\n":1}', '{"\\"":1'])(
    'refuses what is no JSON beside an escaped key: %j',
    (text) => expect(() => parseText(text)).toThrow('The body is not valid JSON.'),
  );

  test.each([1, 63, 64])('reads %i levels', (depth) => {
    expect(() => parseText('['.repeat(depth) + ']'.repeat(depth))).not.toThrow();
  });

  test('refuses what is nested too deep without a stack overflow', () => {
    for (const depth of [65, 1_000_000]) {
      expect(() => parseText('['.repeat(depth))).toThrow('The body is nested more than 64 levels deep.');
    }
  });

  const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
    Array.from({ length: count }, (_, at) => item(at));

  test.each([
    ['flat', `[${many(65_536, () => '[]').join()}]`],
    ['nested', `[${many(1_100, () => '['.repeat(60) + ']'.repeat(60)).join()}]`],
    ['objects', `[${many(65_536, () => '{}').join()}]`],
    ['not even JSON', '[]'.repeat(65_537)],
  ])('refuses more lists and objects than are worth their bytes before it parses them: %s', (_how, text) => {
    expect(() => parseText(text)).toThrow('The body has too many lists and objects for its size.');
  });

  test('takes as many of them as a larger body has bytes for', () => {
    expect(parseText(JSON.stringify(many(100_000, () => ['0123456789abcd'])))).toHaveLength(100_000);
    expect(parseText(JSON.stringify(many(65_535, () => [])))).toHaveLength(65_535);
  });

  test('refuses an object of more different keys than are worth their bytes, not the same keys many times', () => {
    const keys = (count: number) => JSON.stringify(Object.fromEntries(many(count, (at) => [`k${at}`, 1])));
    expect(() => parseText(keys(12_000))).toThrow('The body has too many different keys for its size.');
    expect(parseText(keys(10_000))).toMatchObject({ k9999: 1 });
    expect(parseText(JSON.stringify(many(40_000, () => ({ name: 'a', type: 'int' }))))).toHaveLength(40_000);
  });

  test('refuses what is not JSON', () => {
    for (const text of ['', '{', '01', "{'a':1}", '[1,]', 'NaN', '"', '"\\']) {
      expect(() => parseText(text)).toThrow('The body is not valid JSON.');
    }
  });
});

function escapedSpelling(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'));
  return `"${units.map((unit) => String.raw`\u${unit}`).join('')}"`;
}
