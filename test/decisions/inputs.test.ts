// @module-tag both-engines
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import contract from '../../server/generated/contract.json' with { type: 'json' };
import { batchOf, eventReport } from '../support/batch.ts';
import { contractOperations } from '../proofs/support/contract-operations.ts';
import { expectError } from '../support/expect-error.ts';
import { type Answer, basic, type SignedIn, startTestServer, type TestServer } from '../support/server.ts';

/** The rows "Text" and "Cursor" of docs/decisions.md, "Requests and errors", over HTTP. */

let server: TestServer;
let branchId: string;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('admin');
  const { keys } = server.administration;
  await server.signIn('viewer');
  await server.createAccount();
  await keys.create({ workspaceId: server.workspaceId, source: 'ios-shop', samplingRate: 1 });
  for (const name of ['one', 'two']) ({ branchId } = JSON.parse((await create(name)).text));
  for (const name of ['Paid', 'Refunded']) {
    for (const type of ['int', 'float'] as const) {
      await ingest(
        eventReport(name, [
          { name: 'price', type },
          { name: 'tax', type },
        ]),
      );
    }
  }
  await server.call({ method: 'POST', path: `${onBranch(branchId)}/publications/v1`, json: {} });
});
afterAll(() => server.close());

const create = (name: string) =>
  server.call({ method: 'POST', path: `${server.workspacePath}/branches/v1`, json: { name } });

const ingest = (event: unknown, version = '1.4.0') =>
  server.call({
    method: 'POST',
    path: '/inspector/batches/v1',
    as: null,
    headers: { 'api-key': server.apiKey },
    json: batchOf([event], { app: { id: 'a', name: 'A', version } }),
  });

const onBranch = (id: string) => `${server.workspacePath}/branches/${id}`;

describe('Text', () => {
  it.each(['%00', 'a%00b', 'shop%00', '%00shop'])('U+0000 in the id of a workspace is 401: %s', async (id) => {
    for (const { method, path } of operationsIn(id).filter(({ isOpen }) => !isOpen)) {
      for (const as of [null, server.account])
        expectError(await server.call({ method, path, as }), 401, 'Unauthorized');
    }
  });

  it.each(['%00', 'a%00b', 'shop%00', '%00shop'])('and 404 where nobody is signed in yet: %s', async (id) => {
    const open = operationsIn(id).filter(({ isOpen }) => isOpen);
    expect(open.length).toBeGreaterThan(0);
    for (const { method, path, body: json } of open) {
      expectError(await server.call({ method, path, as: null, json }), 404);
    }
  });

  it('U+0000 in the id of a branch is an unknown one', async () => {
    for (const id of ['%00', `${branchId}%00`]) {
      const calls: [method: string, path: string, json?: unknown][] = [
        ['GET', `${onBranch(id)}/v1`],
        ['PUT', `${onBranch(id)}/status/v1`, { branchStatus: 'Closed' }],
        ['POST', `${onBranch(id)}/collaborators/v1`, { collaboratorEmail: 'a@example.com' }],
        ['POST', `${onBranch(id)}/publications/v1`, {}],
      ];
      for (const [method, path, json] of calls) {
        expectError(await server.call({ method, path, ...(json === undefined ? {} : { json }) }), 404);
        expectError(await server.call({ method, path, as: null }), 401, 'Unauthorized');
      }
    }
  });

  it.each(['source', 'appVersion', 'eventName', 'environment'])('U+0000 in a filter is 400: %s', async (name) => {
    expectError(await server.call({ path: `${server.workspacePath}/inspector/shapes/v1?${name}=%00` }), 400);
  });

  it.each(['\0', 'a\0b', 'a\u0085b', 'a\nb'])('control characters in Basic credentials are 401: %j', async (text) => {
    const { name, secret } = server.account;
    for (const wrong of [
      { name: name + text, secret },
      { name, secret: secret + text },
    ]) {
      const headers = { authorization: basic(wrong) };
      const answer = await server.call({ path: `${server.workspacePath}/branches/v1`, as: null, headers });
      expectError(answer, 401, 'Unauthorized');
    }
  });

  it('U+0000 in an event is its refusal', async () => {
    for (const event of [eventReport('a\0', []), eventReport('a', [{ name: '\0', type: 'int' }])]) {
      const answer = await ingest(event);
      expect(answer.json()).toMatchObject({ accepted: 0, rejected: [{ index: 0 }] });
    }
    expectError(await ingest(eventReport('a', []), '1\0'), 400);
  });

  it('half of a surrogate pair is read as U+FFFD', async () => {
    const collaborators = `${onBranch(branchId)}/collaborators/v1`;
    for (const half of ['\ud800', '\udc00']) {
      const json = { collaboratorEmail: `b${half}@example.com`, userEmail: `a${half}@example.com` };
      const added = await server.call({ method: 'POST', path: collaborators, json });
      expect(added.json()).toMatchObject({ collaborators: ['b\ufffd@example.com'] });
    }
    const json = { branchStatus: 'ReadyForReview', userEmail: 'a\ud800@example.com' };
    const changed = await server.call({ method: 'PUT', path: `${onBranch(branchId)}/status/v1`, json });
    expect(changed.json()).toMatchObject({ markedReadyForReviewerUserEmail: 'a\ufffd@example.com' });
    expect((await server.call({ path: `${onBranch(branchId)}/v1` })).json()).toEqual(changed.json());
  });

  it('every text that the contract takes in a query or body is one without U+0000', () => {
    expect(stringSchemas().length).toBeGreaterThan(10);
    for (const [place, schema] of stringSchemas()) expect([place, mayHoldNul(schema)]).toEqual([place, false]);
  });
});

describe('Cursor', () => {
  it('belongs to the list that it was given with', async () => {
    const cursors = new Map<string, string>();
    for (const path of lists()) cursors.set(path, nextCursor(await list(path, '')));
    for (const path of lists()) {
      for (const [from, cursor] of cursors) {
        const answer = await list(path, `&cursor=${cursor}`);
        if (from === path) expect(answer.status, answer.text).toBe(200);
        else expectError(answer, 400, /with the same filters/);
      }
    }
  });

  it.each([
    ['branches/v1', 'branchStatus=Draft'],
    ['branches/v1', 'branchStatus=ReadyForReview&branchStatus=Draft'],
    ['branches/v1', 'sort=newest'],
    ['branches/v1', 'text=o'],
    ['branches/v1', 'branchCreatorId=nobody'],
    ['branches/v1', 'collaboratorEmail=a@example.com'],
    ['inspector/shapes/v1', 'eventName=Paid'],
    ['inspector/shapes/v1', 'environment=prod'],
    ['inspector/conflicts/v1', 'source=android-shop'],
    ['inspector/conflicts/v1', 'appVersion=1.4.0'],
  ])('belongs to the filters that it was given with: %s?%s', async (list, filter) => {
    const path = `${server.workspacePath}/${list}?limit=1`;
    const without = nextCursor(await server.call({ path }));
    const answered = await server.call({ path: `${path}&cursor=${without}&${filter}` });
    expectError(answered, 400, /with the same filters/);
    const first = await server.call({ path: `${path}&${filter}` });
    const within = first.json();
    const cursor = Object(within).nextCursor;
    if (cursor === null) return;
    expect((await server.call({ path: `${path}&${filter}&cursor=${cursor}` })).status).toBe(200);
    expectError(await server.call({ path: `${path}&cursor=${cursor}` }), 400, /with the same filters/);
  });
});

interface OfWorkspace {
  method: string;
  path: string;
  /** Whether it takes no credentials. */
  isOpen: boolean;
  /** The contract's example; undefined where it has none. */
  body: unknown;
}

function operationsIn(workspaceId: string): OfWorkspace[] {
  return contractOperations()
    .filter(({ path }) => path.includes('{workspaceId}'))
    .map(({ method, path, isSecured, body }) => {
      const filled = path.replace('{workspaceId}', workspaceId).replace(/\{\w+\}/, branchId);
      return { method, path: filled, isOpen: !isSecured, body };
    });
}

/** The URLs of all lists, in the server's workspace, without a cursor and with a limit of 1. */
function lists(): string[] {
  return Object.entries<object>(contract.paths).flatMap(([template, item]) => {
    const takes = (parameter: string) => JSON.stringify(item).includes(`#/components/parameters/${parameter}"`);
    if (!takes('Cursor')) return [];
    const path = template.replace('{workspaceId}', server.workspaceId).replace('{branchId}', branchId);
    return [`${path}?limit=1${takes('OfEventName') ? '&eventName=Paid' : ''}`];
  });
}

/** As an admin, who sees every list. */
const list = (url: string, query: string) =>
  server.call({ path: `${url}${query}`, as: null, headers: { cookie: admin.cookie } });

function nextCursor(answer: Answer): string {
  const cursor: unknown = Object(answer.json()).nextCursor;
  expect(cursor, answer.text).toEqual(expect.any(String));
  return String(cursor);
}

interface StringSchema {
  type?: unknown;
  enum?: unknown;
  format?: string;
  pattern?: string;
}

/** Every schema of a text that a query or body can bring, under where it stands; what the service itself gives out is left out. */
function stringSchemas(): [place: string, schema: StringSchema][] {
  const { parameters } = contract.components;
  const found = new Map<string, StringSchema>();
  const walk = (place: string, schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if ('$ref' in schema) return visit(String(schema.$ref));
    if ('type' in schema && [schema.type].flat().includes('string')) found.set(place, schema);
    for (const [key, value] of Object.entries(schema)) if (key !== 'example') walk(`${place}/${key}`, value);
  };
  const seen = new Set<string>();
  const visit = (reference: string): void => {
    if (seen.has(reference)) return;
    seen.add(reference);
    const target = reference
      .split('/')
      .slice(1)
      .reduce<unknown>((value, key) => Object(value)[key], contract);
    walk(reference, target);
  };
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.in !== 'path' && !('x-branchline-issued' in parameter)) walk(name, parameter.schema);
  }
  for (const [path, item] of Object.entries<object>(contract.paths)) {
    for (const operation of Object.values(item)) {
      walk(path, operation.requestBody?.content);
      for (const parameter of operation.parameters ?? []) if (parameter.in === 'query') walk(path, parameter.schema);
    }
  }
  return [...found];
}

function mayHoldNul({ enum: values, format, pattern }: StringSchema): boolean {
  if (values !== undefined || format !== undefined) return false;
  return (
    pattern === undefined || ['\0', 'a\0', '\0a', 'a\0@b', 'a@b\0'].some((text) => new RegExp(pattern, 'u').test(text))
  );
}
