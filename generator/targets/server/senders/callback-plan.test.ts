import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTarget } from './callback-plan.ts';

test.each([
  ['{$request.body.url}', 'holds "$request.body.url", which is no runtime expression'],
  ['{$request.body#url}', 'holds "$request.body#url", which is no runtime expression'],
  ['{$request.body#/a~2}', 'holds "$request.body#/a~2", which is no runtime expression'],
  ['{$request.headers.x}', 'holds "$request.headers.x", which is no runtime expression'],
  ['{$request.header.a b}', 'holds "$request.header.a b", which is no runtime expression'],
  ['{$request.query.}', 'holds "$request.query.", which is no runtime expression'],
  ['{request.body#/url}', 'holds "request.body#/url", which is no runtime expression'],
  ['$request.body.url', 'holds "$request.body.url", which is no runtime expression'],
  ['{$response.query.x}', 'holds "$response.query.x", though a response has no such parameters'],
  ['https://a.example/{id}', 'holds "id", which is no runtime expression'],
  ['{}', 'holds "", which is no runtime expression'],
  ['{$url', 'has a brace without its other'],
  ['$url}', 'holds "$url}", which is no runtime expression'],
])('%s %s', (key, problem) => {
  expect(parseTarget(key, ['other'])).toBe(problem);
});

test('the name of a path parameter stays, to be filled in when the callback is sent', () => {
  expect(parseTarget('{$request.query.url}/{id}', ['id'])).toEqual([
    { text: '$request.query.url', of: 'request', in: 'query', name: 'url' },
    '/',
    '{id}',
  ]);
});

test('what a key is made of is found in it again', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => !/[{}]/.test(text));
  const token = fc.stringMatching(/^[!#$%&'*+.^_`|~\w-]+$/);
  const pointer = fc
    .array(name)
    .map((names) => names.map((one) => `/${one.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));
  const side = fc.constantFrom(['request', 'request'] as const, ['response', 'reply'] as const);
  const expression = fc.oneof(
    fc.constant({ text: '$url', of: 'request', in: 'url', name: '' }),
    fc.constant({ text: '$method', of: 'request', in: 'method', name: '' }),
    fc.constant({ text: '$statusCode', of: 'reply', in: 'status', name: '' }),
    name.map((one) => ({ text: `$request.query.${one}`, of: 'request', in: 'query', name: one })),
    name.map((one) => ({ text: `$request.path.${one}`, of: 'request', in: 'path', name: one })),
    fc.tuple(side, token).map(([[from, of], one]) => ({ text: `$${from}.header.${one}`, of, in: 'header', name: one })),
    fc.tuple(side, pointer).map(([[from, of], one]) => ({ text: `$${from}.body#${one}`, of, in: 'body', name: one })),
  );
  // Texts that stand side by side are one.
  const between = fc.string({ minLength: 1 }).filter((text) => !/[{}]/.test(text) && !text.startsWith('$'));
  fc.assert(
    fc.property(fc.array(fc.tuple(between, expression)), (pairs) => {
      const key = pairs.map(([text, { text: written }]) => `${text}{${written}}`).join('');
      expect(parseTarget(key, [])).toEqual(pairs.flat());
    }),
  );
});
