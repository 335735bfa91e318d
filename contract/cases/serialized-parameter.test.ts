import { describe, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import type { ParameterObject } from '../openapi.ts';
import { type SerializedParameter, serializeParameter } from './serialized-parameter.ts';

const query: ParameterObject = { name: 'q', in: 'query' };
const path: ParameterObject = { name: 'p', in: 'path', required: true };
const header: ParameterObject = { name: 'X-Of', in: 'header' };

describe('a value travels', () => {
  const rows: { parameter: ParameterObject; value: Json; want: SerializedParameter['request']; read: Json }[] = [
    { parameter: query, value: 'a b', want: { query: { q: 'a b' } }, read: 'a b' },
    { parameter: query, value: 7.5, want: { query: { q: '7.5' } }, read: '7.5' },
    { parameter: query, value: '', want: { query: { q: '' } }, read: '' },
    { parameter: query, value: [1, true], want: { query: { q: ['1', 'true'] } }, read: ['1', 'true'] },
    { parameter: { ...query, explode: false }, value: ['a', 'b'], want: { query: { q: 'a,b' } }, read: ['a', 'b'] },
    {
      parameter: { ...query, style: 'pipeDelimited' },
      value: ['a', 'b'],
      want: { query: { q: 'a|b' } },
      read: ['a', 'b'],
    },
    {
      parameter: { ...query, style: 'spaceDelimited', explode: false },
      value: ['a', 'b'],
      want: { query: { q: 'a b' } },
      read: ['a', 'b'],
    },
    {
      parameter: { ...query, style: 'deepObject' },
      value: { a: 1, b: 'c' },
      want: { query: { 'q[a]': '1', 'q[b]': 'c' } },
      read: { a: '1', b: 'c' },
    },
    { parameter: query, value: { a: 1 }, want: { query: { a: '1' } }, read: { a: '1' } },
    {
      parameter: { ...query, content: { 'application/json': {} } },
      value: { a: [null] },
      want: { query: { q: '{"a":[null]}' } },
      read: { a: [null] },
    },
    { parameter: path, value: 'a/b', want: { path: { p: 'a/b' } }, read: 'a/b' },
    { parameter: path, value: [1, 2], want: { path: { p: '1,2' } }, read: ['1', '2'] },
    { parameter: header, value: 'a b', want: { headers: { 'x-of': 'a b' } }, read: 'a b' },
    { parameter: { name: 'c', in: 'cookie' }, value: 'a b', want: { headers: { cookie: 'c=a%20b' } }, read: 'a b' },
  ];

  test.each(rows)('$value in the $parameter.in', ({ parameter, value, want, read }) => {
    expect(serializeParameter(parameter, value)).toEqual({ request: want, read });
  });
});

describe('a value that would arrive as another does not travel', () => {
  const rows: { parameter: ParameterObject; value: Json }[] = [
    { parameter: query, value: null },
    { parameter: query, value: [] },
    { parameter: query, value: [['a']] },
    { parameter: query, value: {} },
    { parameter: { ...query, explode: false }, value: ['a,b'] },
    { parameter: { ...query, explode: false }, value: [''] },
    { parameter: { ...query, explode: false }, value: { a: 1 } },
    { parameter: path, value: '' },
    { parameter: path, value: '..' },
    { parameter: { ...path, style: 'matrix' }, value: 'a' },
    { parameter: path, value: { a: 1 } },
    { parameter: header, value: 'a ' },
    { parameter: header, value: 'ü' },
    { parameter: header, value: 'a\nb' },
  ];

  test.each(rows)('$value in the $parameter.in', ({ parameter, value }) => {
    expect(serializeParameter(parameter, value)).toBeUndefined();
  });
});
