import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type CapturedRequest, readText } from './captured-request.ts';
import { createCanaryEvent, findLeaks } from './canaries.ts';

function captured(given: { url?: string; header?: string; body?: string | Buffer }): CapturedRequest {
  const body = Buffer.from(given.body ?? '');
  return {
    at: 0,
    wall: 0,
    where: 'service',
    connection: 1,
    method: 'POST',
    url: given.url ?? '/inspector/batches/v1',
    headers: [['x-trace', given.header ?? 'none']],
    body,
    text: readText(body).text,
    batch: undefined,
    answer: undefined,
  };
}

const values: [string, string][] = [
  ['text', createCanaryEvent().canaries[0] ?? ''],
  ['a whole number', createCanaryEvent().canaries.find((one) => /^\d{15}$/.test(one)) ?? ''],
  ['a fraction', createCanaryEvent().canaries.find((one) => one.includes('.')) ?? ''],
  ['a value of the user’s own', 'Ada Lovelace <ada@example.com>'],
];

describe.each(values)('%s is found', (_, value) => {
  const [start, end] = ['{"a":"x', 'y"}'];
  const coded = (encoding: BufferEncoding): string => Buffer.from(`of ${value}`).toString(encoding);

  it.each([
    ['in a body', { body: `${start}${value}${end}` }],
    ['in a gzip body', { body: gzipSync(`${start}${value}${end}`) }],
    ['in the URL, percent-encoded', { url: `/v1?v=${encodeURIComponent(value)}` }],
    ['in the URL, every byte percent-encoded', { url: `/v1?v=${coded('hex').replaceAll(/../g, '%$&')}` }],
    ['in a header', { header: value }],
    ['as base64', { header: coded('base64') }],
    ['as base64url', { url: `/${coded('base64url')}` }],
    ['as base64 of base64', { body: Buffer.from(coded('base64')).toString('base64') }],
    ['as hex', { body: `${start}${coded('hex')}${end}` }],
    [
      'as escapes of JSON',
      { body: `"${[...value].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"` },
    ],
  ])('%s', (_place, given) => {
    expect(findLeaks(captured(given), new Set([value]))).toEqual([expect.stringContaining(value)]);
  });
});

it('finds nothing where a value of another is', () => {
  const { canaries } = createCanaryEvent();
  expect(findLeaks(captured({ body: canaries.join(' ') }), new Set(createCanaryEvent().canaries))).toEqual([]);
});
