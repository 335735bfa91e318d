import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTarget } from '../../../server/senders/callback-plan.ts';
import { CallbackUrlError, type Exchange, resolveCallbackUrl } from './callback-url.ts';

/** The request of the OpenAPI specification's examples of runtime expressions. */
const specified: Exchange = {
  request: {
    params: { eventType: 'myevent' },
    body: { failedUrl: 'https://clientdomain.example/failed', successUrls: ['https://clientdomain.example/fast'] },
    raw: {
      method: 'POST',
      url: '/subscribe/myevent?queryUrl=https://clientdomain.example/stillrunning',
      protocol: 'https',
      host: 'example.org',
      headers: { 'content-type': 'application/json', 'x-list': ['a', 'b'] },
    },
  },
  reply: { status: 201, headers: { Location: 'https://example.org/subscription/1' }, body: { id: 7, at: null } },
};

function resolve(key: string, exchange: Exchange = specified): string {
  const parts = parseTarget(key, []);
  if (typeof parts === 'string') throw new Error(parts);
  return resolveCallbackUrl({ id: 'onEvent', parts }, exchange);
}

describe('an expression', () => {
  test.each([
    ['{$url}', 'https://example.org/subscribe/myevent?queryUrl=https://clientdomain.example/stillrunning'],
    ['$url', 'https://example.org/subscribe/myevent?queryUrl=https://clientdomain.example/stillrunning'],
    ['http://a.example/{$method}', 'http://a.example/POST'],
    ['http://a.example/{$request.path.eventType}', 'http://a.example/myevent'],
    ['{$request.query.queryUrl}', 'https://clientdomain.example/stillrunning'],
    ['{$request.query.queryUrl}/data', 'https://clientdomain.example/stillrunning/data'],
    ['http://a.example?t={$request.header.content-type}', 'http://a.example?t=application%2Fjson'],
    ['http://a.example?t={$request.header.Content-Type}', 'http://a.example?t=application%2Fjson'],
    ['http://a.example?t={$request.header.x-list}', 'http://a.example?t=a%2C%20b'],
    ['{$request.body#/failedUrl}', 'https://clientdomain.example/failed'],
    ['{$request.body#/successUrls/0}?n={$response.body#/id}', 'https://clientdomain.example/fast?n=7'],
    ['{$response.header.Location}', 'https://example.org/subscription/1'],
    ['{$response.header.location}/{$statusCode}', 'https://example.org/subscription/1/201'],
    ['http://a.example/constant', 'http://a.example/constant'],
  ])('%s is %s', (key, url) => {
    expect(resolve(key)).toBe(url);
  });

  test('of a whole body is the text that the body is', () => {
    const { request } = specified;
    expect(resolve('{$request.body}', { request: { ...request, body: 'http://a.example/' } })).toBe(
      'http://a.example/',
    );
  });

  test('of the host is taken as it is', () => {
    const { request } = specified;
    const body = { host: 'a.example:8080' };
    expect(resolve('http://{$request.body#/host}/x', { request: { ...request, body } })).toBe(
      'http://a.example:8080/x',
    );
  });
});

describe('what leads to nothing', () => {
  test.each([
    ['{$request.body#/callbackUrl}', 'needs "/callbackUrl" in the body of the request, which does not have it'],
    ['{$request.body#/successUrls/2}', 'needs "/successUrls/2" in the body of the request, which does not have it'],
    [
      '{$request.body#/successUrls/length}',
      'needs "/successUrls/length" in the body of the request, which does not have it',
    ],
    ['{$request.body#/failedUrl/a/b}', 'needs "/failedUrl/a" in the body of the request, which does not have it'],
    ['{$request.body#/toString}', 'needs "/toString" in the body of the request, which does not have it'],
    ['{$request.query.url}', 'needs the query parameter "url", which the request does not have'],
    ['{$request.header.x-url}', 'needs the header "x-url", which the request does not have'],
    ['{$request.path.id}', 'needs the path parameter "id", which the request does not have'],
    ['{$response.header.x-url}', 'needs the header "x-url", which the reply does not have'],
    ['{$response.body#/url}', 'needs "/url" in the body of the reply, which does not have it'],
    ['{$request.body#/successUrls}', 'is a list, which no URL can hold'],
    ['{$request.body}', 'is an object, which no URL can hold'],
    ['{$response.body#/at}', 'is null, which no URL can hold'],
  ])('%s: %s', (key, problem) => {
    const error = expectError(key);
    expect(error.message).toBe(`The callback onEvent has no URL: ${key} ${problem}.`);
    expect(error.expression).toBe(key.slice(1, -1));
  });

  test('a reply that is not given', () => {
    const { request } = specified;
    for (const key of ['{$response.body#/id}', '{$response.header.location}', '{$statusCode}'])
      expect(expectError(key, { request }).message).toContain(`${key} needs the reply, which is not given.`);
  });

  test('a body that there is not', () => {
    const { request } = specified;
    const error = expectError('{$request.body#/url}', { request: { ...request, body: undefined } });
    expect(error.message).toContain('needs the body of the request, which has none.');
  });

  test.each(['/path', 'mailto:a@b.example', 'http://', '{$request.path.eventType}'])('no URL of HTTP: %s', (key) => {
    const error = expectError(key);
    expect(error.message).toBe(
      'The callback onEvent has no URL: it must be absolute, and begin with http:// or https://.',
    );
    expect(error.expression).toBeUndefined();
  });

  test.each(['.', '..'])('a value "%s", which would lead to another path', (id) => {
    const { request } = specified;
    expect(() => resolve('http://a.example/{$request.path.id}/x', { request: { ...request, params: { id } } })).toThrow(
      'is dots alone',
    );
  });
});

function expectError(key: string, exchange?: Exchange): CallbackUrlError {
  try {
    return expect.fail(`It is ${resolve(key, exchange)}.`);
  } catch (error) {
    if (error instanceof CallbackUrlError) return error;
    throw error;
  }
}

describe('whatever it holds', () => {
  // Half of a character, too: JSON may hold one.
  const text = fc.string({
    unit: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '\udfff', '.', '/')),
  });
  const withBody = (body: unknown): Exchange => ({ request: { ...specified.request, body } });

  test('a value stays one segment of the path, and one of the query', () => {
    fc.assert(
      fc.property(
        text.filter((one) => !/^\.+$/.test(one)),
        (one) => {
          const url = new URL(
            resolve('https://a.example/x/{$request.body#/v}/y?v={$request.body#/v}&w=1', withBody({ v: one })),
          );
          expect(url.host).toBe('a.example');
          expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'x', one.toWellFormed(), 'y']);
          expect([...url.searchParams]).toEqual([
            ['v', one.toWellFormed()],
            ['w', '1'],
          ]);
        },
      ),
    );
  });

  test('a body is looked into as deep as the pointer goes', () => {
    const step = fc.oneof(
      fc.record({ key: text.filter((one) => !/[{}]/.test(one)) }),
      fc.record({ index: fc.nat({ max: 3 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), text, (path, leaf) => {
        const body = path.reduceRight<unknown>((inner, one) => {
          if ('key' in one) return Object.fromEntries([[one.key, inner]]);
          return [...Array.from({ length: one.index }, () => 'another'), inner];
        }, leaf);
        const pointer = path.map((one) => `/${'key' in one ? escapeKey(one.key) : one.index}`).join('');
        expect(resolve(`https://a.example/?v={$request.body#${pointer}}`, withBody(body))).toBe(
          `https://a.example/?v=${encodeURIComponent(leaf.toWellFormed())}`,
        );
      }),
    );
  });

  test('a query is read as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (one) => {
        const raw = { ...specified.request.raw, url: `/x?a=1&v=${encodeURIComponent(one.toWellFormed())}` };
        expect(resolve('https://a.example/?v={$request.query.v}', { request: { raw } })).toBe(
          `https://a.example/?v=${encodeURIComponent(one.toWellFormed())}`,
        );
      }),
    );
  });

  test('it is a URL of HTTP, or an error that says why it is none', () => {
    const place = fc.constantFrom('$request.body', '$request.body#/a', '$request.query.a', '$response.body#/a/0');
    const piece = fc.oneof(
      place.map((one) => `{${one}}`),
      fc.string().filter((one) => !/[{}$]/.test(one)),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.jsonValue(), fc.jsonValue(), (pieces, body, reply) => {
        const exchange = { ...withBody(body), reply: { status: 200, body: reply } };
        try {
          expect(URL.parse(resolve(pieces.join(''), exchange))?.protocol).toMatch(/^https?:$/);
        } catch (error) {
          expect(error).toBeInstanceOf(CallbackUrlError);
        }
      }),
    );
  });
});

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
