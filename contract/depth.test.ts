import { describe, expect, test } from 'vitest';
import { MOST_LEVELS, TOO_DEEP } from './depth.ts';
import { loadContract } from './load.ts';
import { readSource } from './source.ts';

const wrap = (text: string, levels: number): string => `${'['.repeat(levels)}${text}${']'.repeat(levels)}`;
const nest = (levels: number): string => wrap('', levels);
const readValue = (text: string, strict: boolean): unknown => readSource('spec', text, { strict }).value;

describe.each([true, false])('a document, where it is strict: %s', (strict) => {
  test.each(['json', 'yaml'])('is read to the most levels, and no deeper, in %s', (language) => {
    const print = (levels: number): string => (language === 'json' ? `{"a":${nest(levels)}}` : `a: ${nest(levels)}`);
    expect(readValue(print(MOST_LEVELS - 1), strict)).toHaveProperty('a');
    expect(() => readValue(print(MOST_LEVELS), strict)).toThrow(`spec:1:1  ${TOO_DEEP}`);
  });

  test.each([
    { what: 'JSON', text: `{"a":${nest(200_000)}}` },
    { what: 'YAML', text: `a: ${nest(200_000)}` },
    { what: 'YAML in blocks', text: `a:\n  ${'- '.repeat(200_000)}a` },
    {
      what: 'YAML by its aliases',
      text: `a: &a ${nest(100)}\nb: &b ${wrap('*a', 100)}\nc: ${wrap('*b', 100)}`,
    },
  ])('that nests without end is refused by one sentence in $what', ({ text }) => {
    expect(() => readValue(text, strict)).toThrow(/^spec:\d+:\d+ {2}It nests deeper than \d+ levels, .+\.$/);
  });
});

test('what a document refers to nests no deeper either', async () => {
  const files: Record<string, string> = {
    'spec.yaml':
      "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents: { schemas: { A: { $ref: deep.json } } }",
    'deep.json': `{"a":${nest(200_000)}}`,
  };
  const read = (file: string): Promise<Buffer> => Promise.resolve(Buffer.from(files[file] ?? ''));
  await expect(loadContract('spec.yaml', { read })).rejects.toThrow(`deep.json:1:1  ${TOO_DEEP}`);
});
