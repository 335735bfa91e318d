import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { marksIn } from './marks.ts';

describe('a value is found', () => {
  it.each([
    ['in UTF-8', Buffer.from('{"name":"goldfinch-canary-name"}')],
    ['in UTF-16, either end first', Buffer.from('goldfinch-canary-name', 'utf16le')],
    ['in UTF-16, either end first', Buffer.from('goldfinch-canary-name', 'utf16le').swap16()],
    ['in hexadecimal', Buffer.from(Buffer.from('goldfinch-canary').toString('hex'))],
    ['in base64', base64('goldfinch-canary-name')],
    ['in base64 after one byte', base64('"goldfinch-canary-name')],
    ['in base64 after two bytes', base64('="goldfinch-canary-name')],
    ['in gzip', gzipSync('["goldfinch-canary-name"]')],
    ['as the name of a constant', Buffer.from('Delivery.GOLDFINCH_CANARY_EXPRESS')],
    ['as a whole number', Buffer.from('{"count":908172604}')],
    ['as a number as Java writes it', Buffer.from('9.0817260125E8')],
    ['as an id', Buffer.from('90817260-9081-4726-9081-726000009081')],
    ['as a date', Buffer.from('2257-10-15T13:40:00Z')],
    ['as a date as Java writes it', Buffer.from('Thu Oct 15 13:40:00 UTC 2257')],
  ])('%s', (_how, bytes) => {
    expect(marksIn(bytes)).not.toEqual([]);
  });
});

it('names of events and properties are no values', () => {
  expect(marksIn(Buffer.from('{"eventName":"Product Viewed","schema":[{"name":"price","type":"float"}]}'))).toEqual([]);
});

function base64(text: string): Buffer {
  return Buffer.from(Buffer.from(text).toString('base64'));
}
