import { describe, expect, test } from 'vitest';
import type { Case, CaseFile, ContractDocument } from '@branchline/contract';
import type { RunOptions, Target } from './options.ts';
import { runDerivedCases } from './run.ts';
import type { CaseResult } from '../engine/result.ts';
import { type Answer, answering, created, serve, servers } from './testing/server.ts';

const document: ContractDocument = {
  openapi: '3.1.0',
  security: [{ account: [] }],
  paths: {
    '/rooms/{roomId}/things': {
      post: {
        responses: {
          201: { content: { 'application/json': { schema: { type: 'object', required: ['name'] } } } },
          400: { content: { 'application/json': {} } },
          409: { content: { 'application/json': {} } },
        },
      },
    },
    '/token': { get: { security: [{ key: [] }], responses: { 204: {} } } },
  },
  components: {
    securitySchemes: {
      account: { type: 'http', scheme: 'basic' },
      key: { type: 'apiKey', in: 'query', name: 'key' },
    },
  },
};

const ordinary: Case = {
  id: 'create/valid',
  operationId: 'create',
  method: 'post',
  path: '/rooms/{roomId}/things',
  title: 'Accepts a valid body.',
  level: 'required',
  varies: { in: 'nothing' },
  request: {
    authentication: 'valid',
    path: { roomId: 'a room' },
    contentType: 'application/json',
    body: { base: 'create/full' },
  },
  expect: { statuses: [201] },
};

const bodies = { 'create/full': { name: 'lamp', tags: ['a'] } };

function caseFile(...cases: Case[]): CaseFile {
  return { contract: { source: 'things.yaml' }, bodies, cases, leftOut: [] };
}

const room: RunOptions = { path: { roomId: 'blue/green' } };

function run(file: CaseFile, target: Target, options: RunOptions = room): Promise<CaseResult[]> {
  return Array.fromAsync(runDerivedCases(file, document, target, options));
}

describe('a request', () => {
  test('carries the body, the credentials and the encoded path', async () => {
    const { seen, target } = await serve(created);
    expect(await run(caseFile(ordinary), target)).toMatchObject([{ state: 'pass' }]);
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: '/rooms/blue%2Fgreen/things',
        body: '{"name":"lamp","tags":["a"]}',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from('ada:s3:cret').toString('base64')}`,
        },
      },
    ]);
  });

  test('carries queries, headers and cookies', async () => {
    const { seen, target } = await serve(created);
    const one: Case = {
      ...ordinary,
      request: {
        ...ordinary.request,
        query: { tag: ['a b', 'ü'], of: 'x&y', list: '1,2' },
        headers: { 'x-trace': '1' },
      },
    };
    await run(caseFile(one), target);
    expect(seen[0]).toMatchObject({
      url: '/rooms/blue%2Fgreen/things?tag=a%20b&tag=%C3%BC&of=x%26y&list=1,2',
      headers: { 'x-trace': '1' },
    });
  });

  test.each([
    { recipe: { base: 'create/full', at: '/name', value: null }, want: '{"name":null,"tags":["a"]}' },
    { recipe: { base: 'create/full', at: '/name', absent: true as const }, want: '{"tags":["a"]}' },
    {
      recipe: { base: 'create/full', at: '/name', repeat: '😀', times: 3, before: '<', after: '>' },
      want: '{"name":"<😀😀😀>","tags":["a"]}',
    },
    { recipe: { base: 'create/full', at: '/tags', repeatItem: 7, times: 2 }, want: '{"name":"lamp","tags":[7,7]}' },
    { recipe: { base: 'create/full', at: '', value: [] }, want: '[]' },
    { recipe: { text: '{"name"' }, want: '{"name"' },
  ])('has the body $want', async ({ recipe, want }) => {
    const { seen, target } = await serve(created);
    await run(caseFile({ ...ordinary, request: { ...ordinary.request, body: recipe } }), target);
    expect(seen[0]?.body).toBe(want);
  });

  test.each([
    { authentication: 'missing' as const, want: undefined },
    { authentication: 'none' as const, want: undefined },
    { authentication: 'wrong' as const, want: `Basic ${Buffer.from('ada:not-the-secret').toString('base64')}` },
  ])('has $authentication credentials', async ({ authentication, want }) => {
    const { seen, target } = await serve(created);
    await run(caseFile({ ...ordinary, request: { ...ordinary.request, authentication } }), target);
    expect(seen[0]?.headers.authorization).toBe(want);
  });

  test('keeps secrets out of its result', async () => {
    const { target } = await serve(answering(204, ''));
    const token: Case = {
      ...ordinary,
      id: 'token',
      method: 'get',
      path: '/token',
      request: { authentication: 'valid' },
      expect: { statuses: [204] },
    };
    const credentials = { account: { name: 'ada', secret: 's3:cret' }, key: { token: 'top secret' } };
    const results = await run(caseFile(ordinary, token), { ...target, credentials });
    const text = JSON.stringify(results);
    expect(text).toContain('key=<redacted>');
    expect(text).not.toContain('top%20secret');
    expect(text).not.toContain(Buffer.from('ada:s3:cret').toString('base64'));
  });
});

describe('a result', () => {
  test.each<{ name: string; answer: Answer; problems: string[]; timeLimitMs?: number }>([
    { name: 'another status', answer: answering(200), problems: ['Expected status 201, but got 200.'] },
    {
      name: 'a body against the contract',
      answer: answering(201, '{}'),
      problems: ["The response body must have required property 'name'."],
    },
    {
      name: 'a broken connection',
      answer: (_, response) => response.destroy(),
      problems: ['The service broke the exchange (ECONNRESET).'],
    },
    {
      name: 'a body that breaks off',
      answer: (_, response) => {
        response.writeHead(201, { 'content-length': '100' }).write('{');
        setImmediate(() => response.destroy());
      },
      problems: ['The service broke the exchange (ECONNRESET).'],
    },
    {
      name: 'silence',
      answer: () => undefined,
      problems: ['The service gave no whole answer within 0.15 s.'],
      timeLimitMs: 150,
    },
  ])('is a failure for $name', async ({ answer, problems, timeLimitMs = 3_600_000 }) => {
    const { target } = await serve(answer);
    expect(await run(caseFile(ordinary), target, { ...room, timeLimitMs })).toMatchObject([
      { state: 'fail', problems },
    ]);
  });

  test('is a failure where "Allow" does not name the methods', async () => {
    const { target } = await serve(answering(405, '{}', { allow: 'GET, post' }));
    const one: Case = { ...ordinary, mistake: 'method', expect: { statuses: [405], allow: ['POST', 'PUT'] } };
    expect(await run(caseFile(one), target)).toMatchObject([
      { state: 'fail', problems: ['The "Allow" header must name PUT.'] },
    ]);
  });

  test('takes any status of an expected class', async () => {
    const { target } = await serve(created);
    expect(await run(caseFile({ ...ordinary, expect: { statuses: ['2XX'] } }), target)).toMatchObject([
      { state: 'pass' },
    ]);
  });

  test('is a warning where the contract documents no such refusal', async () => {
    const { target } = await serve(answering(418));
    const one: Case = { ...ordinary, mistake: 'body', expect: { statuses: [] } };
    const warning = expect.stringContaining('Status 418 is not documented');
    expect(await run(caseFile(one), target)).toMatchObject([{ state: 'pass', warnings: [warning] }]);
  });

  test('is an error where the server is not there', async () => {
    const { target } = await serve(created);
    servers.splice(0).forEach((server) => server.close());
    const [result] = await run(caseFile(ordinary), target);
    expect(result).toMatchObject({ state: 'error' });
    expect(JSON.stringify(result)).toContain('ECONNREFUSED');
  });

  test('is a skip without credentials', async () => {
    const { seen, target } = await serve(created);
    expect(await run(caseFile(ordinary), { baseUrl: target.baseUrl })).toMatchObject([
      { state: 'skip', reason: "No credentials were given for account; --credential 'account=…' gives some." },
    ]);
    expect(seen).toEqual([]);
  });

  test('is a skip where there is no resource to act upon', async () => {
    const { target } = await serve(answering(404));
    expect(await run(caseFile(ordinary), target, {})).toMatchObject([
      {
        state: 'skip',
        reason: expect.stringMatching(/^Answered 404: nothing is known .* --before-case can name it\.$/),
      },
    ]);
  });

  test('is a skip where a valid value is taken already', async () => {
    const { target } = await serve(answering(409));
    const boundary: Case = { ...ordinary, id: 'create/body/name/minLength-at', varies: { in: 'body', at: '/name' } };
    const results = await run(caseFile(boundary, ordinary), target, { ...room, concurrency: 1 });
    expect(results).toMatchObject([{ state: 'skip' }, { state: 'skip' }]);
  });

  test('obeys 429 and tries again', async () => {
    let answered = 0;
    const { seen, target } = await serve((one, response) => {
      answered += 1;
      (answered < 3 ? answering(429, '{}', { 'retry-after': '0' }) : created)(one, response);
    });
    expect(await run(caseFile(ordinary), target)).toMatchObject([{ state: 'pass' }]);
    expect(seen).toHaveLength(3);
  });
});

describe('a prepare hook', () => {
  test('gives resources and makes the ordinary body fresh, under the change of the case', async () => {
    const { seen, target } = await serve(created);
    const negative: Case = {
      ...ordinary,
      request: { ...ordinary.request, body: { base: 'create/full', at: '/name', value: 7 } },
    };
    const bodiesSeen: unknown[] = [];
    const prepare: RunOptions['prepare'] = {
      create: (_, body) => {
        bodiesSeen.push(body);
        return {
          path: { roomId: 'red' },
          body: (ordinaryBody) => ({ ...Object(ordinaryBody), name: 'fresh', tags: [] }),
        };
      },
    };
    await run(caseFile(ordinary, negative), target, { prepare, concurrency: 1 });
    expect(seen.map(({ url, body }) => [url, body])).toEqual([
      ['/rooms/red/things', '{"name":"fresh","tags":[]}'],
      ['/rooms/red/things', '{"name":7,"tags":[]}'],
    ]);
    expect(bodiesSeen).toEqual([bodies['create/full'], { name: 7, tags: ['a'] }]);
  });

  test('leaves the parameter under test alone, and the example where it has none', async () => {
    const { seen, target } = await serve(created);
    const tested: Case = { ...ordinary, varies: { in: 'path', at: 'roomId' } };
    const prepare: RunOptions['prepare'] = { create: () => ({ path: { roomId: 'red' } }) };
    await run(caseFile(tested), target, { prepare });
    await run(caseFile(ordinary), target, { prepare: { create: () => ({}) } });
    expect(seen.map(({ url }) => url)).toEqual(['/rooms/a%20room/things', '/rooms/a%20room/things']);
  });

  test('may say why there is none', async () => {
    const { target } = await serve(created);
    const prepare: RunOptions['prepare'] = { create: () => ({ skip: 'No room is free.' }) };
    expect(await run(caseFile(ordinary), target, { prepare })).toMatchObject([
      { state: 'skip', reason: 'No room is free.' },
    ]);
  });

  test('that throws is an error of the run', async () => {
    const { target } = await serve(created);
    const prepare: RunOptions['prepare'] = { create: () => Promise.reject(new Error('The room is on fire.')) };
    expect(await run(caseFile(ordinary), target, { prepare })).toMatchObject([
      { state: 'error', reason: 'The room is on fire.' },
    ]);
  });
});

describe('a run', () => {
  const many = Array.from({ length: 12 }, (_, index) => ({ ...ordinary, id: `create/${index}` }));

  test('keeps to its concurrency, preparations included, and gives each case one result', async () => {
    let underWay = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const { target } = await serve((one, response) => {
      waiting.push(() => {
        underWay -= 1;
        created(one, response);
      });
      if (waiting.length === 3) waiting.splice(0).forEach((release) => release());
    });
    const prepare: RunOptions['prepare'] = {
      create: () => {
        underWay += 1;
        most = Math.max(most, underWay);
        return {};
      },
    };
    const results = await run(caseFile(...many), target, { prepare, concurrency: 3 });
    expect(most).toBe(3);
    expect(results.map((result) => result.id).toSorted()).toEqual(many.map(({ id }) => id).toSorted());
    expect(new Set(results.map(({ state }) => state))).toEqual(new Set(['pass']));
  });

  test('ends early where its results are no longer wanted', async () => {
    const { seen, target } = await serve(created);
    for await (const result of runDerivedCases(caseFile(...many), document, target, { ...room, concurrency: 1 })) {
      expect(result.state).toBe('pass');
      break;
    }
    expect(seen.length).toBeLessThan(many.length);
  });

  test('starts nothing after its signal', async () => {
    const { seen, target } = await serve(created);
    expect(await run(caseFile(...many), target, { ...room, signal: AbortSignal.abort() })).toEqual([]);
    expect(seen).toEqual([]);
  });
});
