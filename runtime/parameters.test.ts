import { describe, expect, test } from 'vitest';
import { hostileApp } from './testing/hostile-app.ts';

const hostile = hostileApp();

describe('query parameters', () => {
  test.each([
    { what: 'a number', query: 'limit=7', want: { limit: 7 } },
    { what: 'its default where it is left out', query: '', want: { limit: 20 } },
    { what: 'a boolean', query: 'open=true', want: { open: true } },
    { what: 'nothing of what is not documented', query: 'limit=1&other=2', want: { limit: 1 } },
    { what: 'an exploded array', query: 'tags=a&tags=b%2Cc', want: { tags: ['a', 'b,c'] } },
    { what: 'an exploded array of one', query: 'tags=a', want: { tags: ['a'] } },
    { what: 'an array with commas', query: 'ids=1,2,3', want: { ids: [1, 2, 3] } },
    { what: 'an array with bars', query: 'sizes=1|2.5', want: { sizes: [1, 2.5] } },
    { what: 'an array with encoded bars', query: 'sizes=1%7C2', want: { sizes: [1, 2] } },
    { what: 'an array with spaces, a comma in a value', query: 'words=a%2Cb%20c', want: { words: ['a,b', 'c'] } },
    { what: 'a deep object', query: 'filter[min]=3&filter[name]=x+y', want: { filter: { min: 3, name: 'x y' } } },
    { what: 'an exploded object', query: 'x=1&y=2', want: { point: { x: 1, y: 2 } } },
    { what: 'JSON', query: 'where=%7B%22a%22%3A%5B1%5D%7D', want: { where: { a: [1] } } },
    { what: 'half a surrogate pair in JSON', query: 'where={"a":["\\ud800"]}', want: { where: { a: ['\ufffd'] } } },
  ])('reads $what', async ({ query, want }) => {
    const response = await (await hostile()).inject(`/things?${query}`);
    expect(response.json().query).toEqual({ limit: 20, ...want });
  });

  test.each([
    { query: 'limit=101', sentence: 'The query parameter "limit" must be at most 100.' },
    { query: 'limit=0', sentence: 'The query parameter "limit" must be at least 1.' },
    { query: 'limit=1.5', sentence: 'The query parameter "limit" must be an integer.' },
    { query: 'limit=0x10', sentence: 'The query parameter "limit" must be a number.' },
    { query: 'limit=', sentence: 'The query parameter "limit" must be a number.' },
    { query: 'limit=1&limit=2', sentence: 'The query parameter "limit" must be an integer.' },
    { query: 'open=yes', sentence: 'The query parameter "open" must be a boolean.' },
    { query: 'ids=1,2,3,4', sentence: 'The query parameter "ids" must have at most 3 items.' },
    { query: 'ids=1,two', sentence: 'The query parameter "ids" must be numbers.' },
    { query: 'filter[max]=3', sentence: 'The query parameter "filter" must not have the field "max".' },
    { query: 'filter[min]=x', sentence: 'The query parameter "filter", at "min", must be an integer.' },
    { query: 'where={', sentence: 'The query parameter "where" must be JSON.' },
    { query: 'where={"a":[],"a":[]}', sentence: 'The query parameter "where" must be JSON.' },
    { query: `where={"a":${'['.repeat(64)}${']'.repeat(64)}}`, sentence: 'The query parameter "where" must be JSON.' },
    { query: 'where={}', sentence: 'The query parameter "where" lacks the field "a".' },
    { query: 'tags=%E0%A4%A', sentence: 'The query parameter "tags" is not validly percent-encoded.' },
    { query: '%zz=1', sentence: 'The query string is not validly percent-encoded.' },
  ])('refuses $query', async ({ query, sentence }) => {
    const response = await (await hostile()).inject(`/things?${query}`);
    expect(response.json()).toEqual({ error: sentence, kind: 'parameters' });
    expect(response.statusCode).toBe(400);
  });
});

describe('header and cookie parameters', () => {
  test('are read under the names that the contract writes', async () => {
    const headers = { 'x-trace': '12', cookie: 'a=b; session=abc%20d' };
    const response = await (await hostile()).inject({ url: '/things', headers });
    expect(response.json()).toMatchObject({ headers: { 'X-Trace': 12 }, cookies: { session: 'abc d' } });
  });

  test.each([
    { headers: { 'x-trace': 'x' }, sentence: 'The header parameter "X-Trace" must be a number.' },
    { headers: { cookie: 'session=a' }, sentence: 'The cookie parameter "session" must have at least 3 characters.' },
  ])('are refused by name: $sentence', async ({ headers, sentence }) => {
    const response = await (await hostile()).inject({ url: '/things', headers });
    expect(response.json().error).toBe(sentence);
  });
});

describe('path parameters', () => {
  test.each([
    { url: '/things/42', want: { 'trip-id': 42 } },
    { url: '/files/a.b.csv', want: { name: 'a', format: 'b.csv' }, status: 400 },
    { url: '/files/report.csv', want: { name: 'report', format: 'csv' } },
  ])('$url', async ({ url, want, status = 200 }) => {
    const app = await hostile({
      handlers: { getFile: ({ params }) => ({ status: 200, type: 'text/csv', body: JSON.stringify({ params }) }) },
    });
    const response = await app.inject(url);
    expect(response.statusCode).toBe(status);
    if (status === 200) expect(JSON.parse(response.body).params).toEqual(want);
  });

  test('a colon in the path belongs to the path', async () => {
    const response = await (await hostile()).inject({ method: 'POST', url: '/things/a%3Ab:cancel' });
    expect(response.json().params).toEqual({ id: 'a:b' });
  });

  test('may have another name for another method', async () => {
    const app = await hostile();
    expect((await app.inject('/things/7')).json().params).toEqual({ 'trip-id': 7 });
    expect((await app.inject({ method: 'PUT', url: '/things/7' })).json().params).toEqual({ thing: '7' });
  });

  test('a path without parameters goes before one with', async () => {
    const app = await hostile({ handlers: { metaRoot: () => ({ status: 200, body: 'mine' }) } });
    expect((await app.inject('/things/mine')).body).toBe('mine');
  });

  test('one that does not fit its schema is refused', async () => {
    const response = await (await hostile()).inject('/things/abc');
    expect(response.json().error).toBe('The path parameter "trip-id" must be a number.');
  });

  test('an empty one is a path that does not exist', async () => {
    const response = await (await hostile()).inject('/things/');
    expect(response.statusCode).toBe(404);
  });

  test.each(['/things/%00', '/things/4%002', '/files/report%00.csv'])(
    'one with U+0000 is a path that does not exist: %s',
    async (url) => {
      const response = await (await hostile()).inject(url);
      expect(response.statusCode).toBe(404);
      expect(response.json()).toEqual({ error: 'There is nothing at this path.', kind: 'path' });
    },
  );
});

describe('paths and methods', () => {
  test.each(['GET', 'POST', 'DELETE'] as const)('%s of an unknown path is 404, whatever its body', async (method) => {
    const app = await hostile();
    const payload = method === 'GET' ? {} : { payload: 'x'.repeat(2_000_000), headers: { 'content-type': 'a/b' } };
    const response = await app.inject({ method, url: '/base/v2/things', ...payload });
    expect(response.statusCode).toBe(404);
    expect(response.json().kind).toBe('path');
  });

  test.each([
    { method: 'PATCH', url: '/things', allow: 'GET, HEAD, POST' },
    { method: 'OPTIONS', url: '/things', allow: 'GET, HEAD, POST' },
    { method: 'DELETE', url: '/things/mine', allow: 'GET, HEAD' },
    { method: 'PATCH', url: '/things/1', allow: 'DELETE, GET, HEAD, PUT' },
    { method: 'HEAD', url: '/batches', allow: 'POST' },
  ] as const)('$method $url is 405, with the methods that are allowed', async ({ method, url, allow }) => {
    const response = await (await hostile()).inject({ method, url, payload: '{', headers: { 'content-type': 'a/b' } });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe(allow);
  });
});

describe('under a prefix', () => {
  test('paths, wrong methods and unknown paths are the same', async () => {
    const app = await hostile({ prefix: '/base/v2' });
    expect((await app.inject('/base/v2/things/7')).json().params).toEqual({ 'trip-id': 7 });
    expect((await app.inject({ method: 'PATCH', url: '/base/v2/things' })).statusCode).toBe(405);
    expect((await app.inject('/base/v2/nothing')).json().kind).toBe('path');
    expect((await app.inject('/things')).statusCode).toBe(404);
  });
});
