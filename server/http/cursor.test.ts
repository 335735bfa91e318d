import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.ts';

const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'));

describe('a cursor', () => {
  it('comes back as it was written, and is safe in a URL', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), text, (time, id) => {
        const cursor = encodeCursor([time, id]);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(decodeCursor(cursor, ['number', 'string'])).toEqual([time, id]);
      }),
    );
  });

  it('is typed by its shape', () => {
    expectTypeOf(decodeCursor('', ['number', 'string'])).toEqualTypeOf<[number, string] | undefined>();
    expectTypeOf(decodeCursor('', ['string'])).toEqualTypeOf<[string] | undefined>();
  });

  it.each([
    ['empty', ''],
    ['not base64url', '*'],
    ['not JSON', base64('[1,')],
    ['not an array', base64('{"0":1,"1":"a"}')],
    ['null', base64('null')],
    ['too few values', base64('[1]')],
    ['too many values', base64('[1,"a","b"]')],
    ['values of other types', base64('["a",1]')],
    ['a nested value', base64('[1,["a"]]')],
    ['a fraction', base64('[1.5,"a"]')],
    ['a number too large', base64('[1e300,"a"]')],
    ['U+0000', base64('[1,"\\u0000"]')],
    ['another spelling of the JSON', base64('[1, "a"]')],
    ['another spelling of the base64', `${encodeCursor([1, 'a'])}=`],
    ['bytes that are not UTF-8', Buffer.from([0x5b, 0x31, 0x2c, 0x22, 0xff, 0x22, 0x5d]).toString('base64url')],
  ])('is refused when it is %s', (_what, cursor) => {
    expect(decodeCursor(cursor, ['number', 'string'])).toBeUndefined();
  });

  it('never throws, whatever a client sends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (anything) => {
        expect(decodeCursor(anything, ['number', 'string'])).toBeUndefined();
      }),
    );
  });
});

function base64(json: string): string {
  return Buffer.from(json).toString('base64url');
}
