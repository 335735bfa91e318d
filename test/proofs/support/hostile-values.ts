import * as fc from 'fast-check';
import { eventSchema } from '../../../server/inspector/testing/schemas.ts';

// prettier-ignore
const ODD_TEXTS = [
  '', '\0', 'a\0b', '\ud800', 'a\udc00', '\u{10ffff}', '\uffff', '\ufeff', '\u202e', '\u0085', '\r\n', '\t', ' ', 'é', 'e\u0301',
  '%', '%00', '../..', '__proto__', 'constructor', 'toString', "' or 1=1 --", '"', '\\', '{x}', '{}', '[]', 'null', '*', ':',
  '-0', '1e999', '-1', '0x10', 'NaN', 'Infinity', '1e2', '9223372036854775808', '9'.repeat(400), '1.5', '１',
  '9999-12-31T23:59:60Z', '275760-09-13T00:00:00Z', '0000-00-00T00:00:00Z', '2026-01-02T03:04:05.678Z', '-271821-04-19',
  'x'.repeat(255), 'x'.repeat(256), '😀'.repeat(100), '\u0301'.repeat(1_024), '😀'.repeat(1_024), 'ﷺ'.repeat(5_000), 'x'.repeat(15_000),
];

/** Texts that programs stumble over: in storage, in comparing, in logs, in numbers and dates. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('\0', '\ud83d', '\ude00', '%', '\\', '"', ',', '/', 'a'), maxLength: 8 }),
);

// prettier-ignore
const ODD_JSON = [
  '1e999', '-1e999', '-0', '0.1e-400', '9007199254740993', '1'.repeat(1_000), '01', 'NaN', 'undefined', 'true', 'null',
  '{}', '[]', '[null]', '{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"\\u0000":1}', '{"\\ud800":1}', '{"\\ud800":1,"\\ud801":2}',
  '{"__proto__":{"name":"a"}}', '{"constructor":1,"toString":2,"hasOwnProperty":3}', '"\\ud83d\\ude00"', '"\\ude00\\ud83d"',
  '"\\u00e9"', '"e\\u0301"', '"\\', '"\t"', '"a', '[1', '{"a"', `"${'x'.repeat(2_000_000)}"`, `"${'a'.repeat(64_000)} "`,
];

const nested = fc
  .tuple(fc.constantFrom('[', '{"a":', '[{"items":'), fc.constantFrom(9, 10, 33, 64, 65, 5_000, 300_000))
  .map(([open, times]) => `${open.repeat(times)}1${closing(open).repeat(times)}`);

function closing(open: string): string {
  return [...open.replaceAll(/[^[{]/g, '')].toReversed().join('').replaceAll('[', ']').replaceAll('{', '}');
}

const wide = fc.constantFrom(501, 1_001, 30_000).chain((count) => {
  const numbers = Array.from({ length: count }, (_, number) => number);
  return fc.constantFrom(JSON.stringify(numbers), JSON.stringify(Object.fromEntries(numbers.map((n) => [`k${n}`, n]))));
});

/** JSON that is right by its grammar, or nearly, as text: also numbers and keys that `JSON.stringify` would not write. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  { weight: 3, arbitrary: fc.constantFrom(...ODD_JSON) },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: wide },
  { weight: 2, arbitrary: eventSchema.map((schema) => JSON.stringify(schema)) },
  { weight: 1, arbitrary: fc.json({ stringUnit: 'binary' }) },
);

// prettier-ignore
const ODD_ENCODINGS = ['%', '%zz', '%C0%80', '%ED%A0%80', '%F4%90%80%80', '%u0000', '..%2F..', '%2F', ';', '#', '?', '//'];

/** A text as it is written into a URL in right and wrong ways; every character is one byte. */
export function urlEncoded(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: text.map((one) => encodeURIComponent(one.toWellFormed())) },
    { weight: 2, arbitrary: text.map((one) => Buffer.from(one).toString('hex').replaceAll(/../g, '%$&')) },
    { weight: 1, arbitrary: text.map((one) => encodeURIComponent(encodeURIComponent(one.toWellFormed()))) },
    { weight: 1, arbitrary: text.map((one) => Buffer.from(one).toString('latin1')) },
    { weight: 2, arbitrary: fc.constantFrom(...ODD_ENCODINGS) },
  );
}

// prettier-ignore
const HEADER_NAMES = [
  'x-request-id', 'cookie', 'accept', 'accept-encoding', 'content-type', 'content-encoding', 'host', 'origin', 'range',
  'authorization', 'api-key', 'expect', 'upgrade', 'connection', 'te', 'trailer', 'if-none-match', 'if-match', 'via', 'date',
  'x-forwarded-for', 'x-http-method-override', 'content-range', 'accept-version', '__proto__', '', ' x', 'x ', 'é', 'x\0', '!~',
];

// prettier-ignore
const HEADER_VALUES = [
  '', '*', '*/*', '0', '-1', 'gzip, gzip', 'bytes=0-', '100-continue', 'websocket', 'h2c', 'upgrade', 'close, x', '"',
  'application/json; charset="', 'application/json;charset=utf-16', 'a/b', 'application/*+json', 'a='.repeat(500),
  'x'.repeat(8_000), 'x'.repeat(70_000), '\xff'.repeat(100),
];

/** A header, of bytes that HTTP allows and of others. */
export const hostileHeader: fc.Arbitrary<[name: string, value: string]> = fc.tuple(
  fc.constantFrom(...HEADER_NAMES),
  fc.oneof(
    fc.constantFrom(...HEADER_VALUES),
    hostileText.map((text) => Buffer.from(text).toString('latin1')),
  ),
);
