import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type CursorScope, decodeCursor, encodeCursor } from './cursor.ts';

const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'));

const SCOPE: CursorScope = ['things', 'shop', ['Draft'], undefined];

describe('a cursor', () => {
  it('comes back as it was written, and is safe in a URL', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), text, (time, id) => {
        const cursor = encodeCursor(SCOPE, [time, id]);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(decodeCursor(SCOPE, cursor, ['number', 'string'])).toEqual([time, id]);
      }),
    );
  });

  it('is typed by its shape', () => {
    expectTypeOf(decodeCursor(SCOPE, '', ['number', 'string'])).toEqualTypeOf<[number, string] | undefined>();
    expectTypeOf(decodeCursor(SCOPE, '', ['string'])).toEqualTypeOf<[string] | undefined>();
  });

  it.each<[what: string, scope: CursorScope]>([
    ['list', ['others', 'shop', ['Draft'], undefined]],
    ['workspace', ['things', 'demo', ['Draft'], undefined]],
    ['filter', ['things', 'shop', ['Merged'], undefined]],
    ['longer filter', ['things', 'shop', ['Draft', 'Merged'], undefined]],
    ['filter more', ['things', 'shop', ['Draft'], 'null']],
    ['filter less', ['things', 'shop', undefined, undefined]],
  ])('is refused with another %s', (_what, scope) => {
    const cursor = encodeCursor(SCOPE, [1, 'a']);
    expect(decodeCursor(SCOPE, cursor, ['number', 'string'])).toEqual([1, 'a']);
    expect(decodeCursor(scope, cursor, ['number', 'string'])).toBeUndefined();
  });

  it.each([
    ['empty', ''],
    ['not base64url', '*'],
    ['not JSON', base64('[1,')],
    ['not an array', base64('{"0":1,"1":"a"}')],
    ['null', base64('null')],
    ['without a mark', base64('[1,"a"]')],
    ['too short', withMark('1')],
    ['too long', withMark('1,"a","b"')],
    ['of other types', withMark('"a",1')],
    ['nested', withMark('1,["a"]')],
    ['a fraction', withMark('1.5,"a"')],
    ['a number too large', withMark('1e300,"a"')],
    ['U+0000', withMark('1,"\\u0000"')],
    ['half of a surrogate pair', withMark('1,"\\ud800"')],
    ['another spelling of the JSON', withMark('1, "a"')],
    ['another spelling of the base64', `${encodeCursor(SCOPE, [1, 'a'])}=`],
    ['bytes that are not UTF-8', Buffer.from([0x5b, 0x31, 0x2c, 0x22, 0xff, 0x22, 0x5d]).toString('base64url')],
  ])('is refused when it is %s', (_what, cursor) => {
    expect(decodeCursor(SCOPE, cursor, ['number', 'string'])).toBeUndefined();
  });

  it('whose values are changed by hand is taken as long as they can be compared', () => {
    expect(decodeCursor(SCOPE, withMark('1,"a"'), ['number', 'string'])).toEqual([1, 'a']);
  });

  it('never throws, whatever a client sends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (anything) => {
        expect(decodeCursor(SCOPE, anything, ['number', 'string'])).toBeUndefined();
      }),
    );
  });
});

function base64(json: string): string {
  return Buffer.from(json).toString('base64url');
}

/** A cursor of the scope that holds this JSON behind its mark. */
function withMark(values: string): string {
  const [mark]: unknown[] = JSON.parse(Buffer.from(encodeCursor(SCOPE, []), 'base64url').toString());
  return base64(`[${JSON.stringify(mark)},${values}]`);
}
