import { describe, expect, test } from 'vitest';
import { hostileApp } from './testing/hostile-app.ts';

const hostile = hostileApp();

describe('the media type', () => {
  test.each([
    { what: 'another one', headers: { 'content-type': 'text/plain' } },
    { what: 'none', headers: {} },
    { what: 'nonsense', headers: { 'content-type': 'application/json, text/plain' } },
    { what: 'another charset', headers: { 'content-type': 'application/json; charset=iso-8859-1' } },
    { what: 'another one in quotes', headers: { 'content-type': 'application/json; charset="utf\\-16"' } },
    { what: 'a second charset', headers: { 'content-type': 'application/json;charset="utf-8";charset=utf-16' } },
    { what: 'the same charset twice', headers: { 'content-type': 'application/json;charset=utf-8; CHARSET=utf-8' } },
    { what: 'a parameter without a value', headers: { 'content-type': 'application/json; charset' } },
    { what: 'a parameter with spaces', headers: { 'content-type': 'application/json; charset = utf-16' } },
    { what: 'quotes that do not end', headers: { 'content-type': 'application/json; x="; charset=utf-16' } },
    { what: 'one of too many characters', headers: { 'content-type': 'application/json'.padEnd(1_001, ';') } },
    { what: 'a type with spaces', headers: { 'content-type': 'application / json' } },
    {
      what: 'an encoding that is not taken',
      headers: { 'content-type': 'application/json', 'content-encoding': 'br' },
    },
    { what: 'gzip twice', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip' } },
  ])('$what is 415', async ({ headers }) => {
    const payload = Buffer.from('{"name":"a"}');
    const response = await (
      await hostile()
    ).inject({
      method: 'POST',
      url: '/things',
      payload,
      headers: { 'content-length': `${payload.length}`, ...headers },
    });
    expect(response.statusCode).toBe(415);
    expect(response.json().kind).toBe('media-type');
  });

  test.each([
    'application/json;charset=UTF-8',
    'Application/JSON; charset="utf-8"',
    'application/json\t;\tcharset="\\utf-8" ; ',
    'application/json; x=y',
    'application/json'.padEnd(1_000, ';'),
    'application/json; x="; charset=utf-16"',
  ])('%.40s is JSON', async (type) => {
    const response = await (
      await hostile()
    ).inject({ method: 'POST', url: '/things', payload: '{"name":"a"}', headers: { 'content-type': type } });
    expect(response.statusCode).toBe(201);
  });

  test.each([
    { type: 'application/json', payload: 'null', body: null },
    { type: 'application/vnd.thing+json', payload: '{"name":"a"}', body: { name: 'a' } },
    {
      type: 'application/x-www-form-urlencoded',
      payload: 'age=3&tags=a+b&tags=c',
      body: { age: 3, tags: ['a b', 'c'] },
    },
    { type: 'application/x-www-form-urlencoded', payload: 'age=3&tags=a', body: { age: 3, tags: ['a'] } },
    {
      type: 'application/x-www-form-urlencoded',
      payload: 'age=3&sizes=1|2&owner[age]=4&owner[open]=true&options=%7B%22a%22%3A[1]%7D&other[x]=y',
      body: { age: 3, sizes: [1, 2], owner: { age: 4, open: true }, options: { a: [1] }, 'other[x]': 'y' },
    },
    { type: 'text/plain', payload: 'häh', body: 'häh' },
    { type: 'application/octet-stream', payload: 'ab', body: { type: 'Buffer', data: [97, 98] } },
  ])('$type: $payload', async ({ type, payload, body }) => {
    const response = await (
      await hostile()
    ).inject({ method: 'PUT', url: '/inbox', payload, headers: { 'content-type': type } });
    expect(response.json()).toMatchObject({ body, type });
  });

  test.each([
    { type: 'application/json', payload: '1', sentence: 'The body must be a string or null.' },
    {
      type: 'application/x-www-form-urlencoded',
      payload: 'age=x',
      sentence: 'The field "age" of the body must be an integer.',
    },
    {
      type: 'application/x-www-form-urlencoded',
      payload: 'age=3&owner[age]=x',
      sentence: 'The field "owner.age" of the body must be an integer.',
    },
    {
      type: 'application/x-www-form-urlencoded',
      payload: 'age=3&options=x',
      sentence: 'The field "options" of the body must be JSON.',
    },
    {
      type: 'application/x-www-form-urlencoded',
      payload: 'age=3&name=%',
      sentence: 'The body is not validly percent-encoded.',
    },
    { type: 'text/plain', payload: '12345678901', sentence: 'The body must have at most 10 characters.' },
  ])('$type: $payload is refused', async ({ type, payload, sentence }) => {
    const response = await (
      await hostile()
    ).inject({ method: 'PUT', url: '/inbox', payload, headers: { 'content-type': type } });
    expect(response.json().error).toBe(sentence);
  });

  test('a body that is not required may be left out', async () => {
    const response = await (await hostile()).inject({ method: 'PUT', url: '/inbox' });
    expect(response.json().body).toBeUndefined();
    expect(response.statusCode).toBe(200);
  });

  test.each(['a/b', '', 'no type'])(
    'a body that the contract does not know is not read, whatever its type (%j)',
    async (type) => {
      const response = await (
        await hostile()
      ).inject({
        method: 'POST',
        url: '/things/1:cancel',
        payload: 'x'.repeat(3_000_000),
        headers: { 'content-type': type },
      });
      expect(response.statusCode).toBe(200);
    },
  );
});
