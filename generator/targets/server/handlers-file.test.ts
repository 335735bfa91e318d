import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile } from '../../testing/compile.ts';
import { generateServer, temporaryFolder } from '../../testing/generated-server.ts';

const spec = fileURLToPath(new URL('../../testing/hostile.yaml', import.meta.url));

const begin = `
import fastify from 'fastify';
import type { CreateThingReply, Handlers, InvalidBodyHandlers, Principals, SecurityHandlers } from '../server/generated/handlers.ts';
import type * as requests from '../server/generated/handlers.ts';
import { checkItem, contract } from '../server/generated/wiring.ts';
import { handlers as stubs } from '../server/handlers.ts';
export type { CreateThingReply, Handlers, InvalidBodyHandlers, Principals, SecurityHandlers, requests };
export const app = fastify();
export { checkItem, contract, stubs };
`;

/** What a user might write, and a part of what the compiler says about it; `undefined`: it compiles. */
const sources: { what: string; source: string; complaint: string | undefined }[] = [
  {
    what: 'a right reply',
    source: `export const reply: CreateThingReply = { status: 201, headers: { Location: '/things/1' }, body: { name: 'a', count: null } };`,
    complaint: undefined,
  },
  {
    what: 'a reply of a documented class of statuses',
    source: `export const reply: CreateThingReply = { status: 409, body: { error: 'taken' } };`,
    complaint: undefined,
  },
  {
    what: 'principals of its own',
    source: `
interface Mine extends Principals { basic: { id: number } }
export const handlers: Handlers<Mine> = { ...stubs, oneScheme: ({ principals }) => ({ status: 200, body: principals.basic.id.toFixed() }) };
export const securityHandlers: SecurityHandlers<Mine> = { basic: async () => ({ id: 1 }), 'api-key': () => 'key', token: () => 'token' };
export const invalidBody: InvalidBodyHandlers<Mine> = { createThing: (_request, { message }) => ({ status: 400, body: { error: message } }) };
await app.register(contract, { handlers, securityHandlers, invalidBody });`,
    complaint: undefined,
  },
  {
    what: 'principals told apart by which are there',
    source: `
interface Mine extends Principals { basic: { id: number }; token: { user: string } }
export const handlers: Pick<Handlers<Mine>, 'bothOrKey'> = {
  bothOrKey: ({ principals }) => ({ status: 200, body: principals.token === undefined ? principals.basic.id : principals.token.user }),
};`,
    complaint: undefined,
  },
  {
    what: 'a body told apart by its media type',
    source: `
export const put: Handlers['putAnything'] = (request) => {
  if (request.type === 'text/plain') return { status: 200, body: request.body.trim() };
  if (request.type === 'application/x-www-form-urlencoded') return { status: 200, body: request.body.age.toFixed() };
  return { status: 200, body: request.type ?? 'none' };
};`,
    complaint: undefined,
  },
  {
    what: 'an item',
    source: `
const checked = checkItem('Thing', {});
export const name: string = 'item' in checked ? checked.item.name : checked.problem;`,
    complaint: undefined,
  },
  {
    what: 'a streamed reply',
    source: `
async function* rows() { yield 'a'; yield Buffer.from('b'); }
export const stream: Handlers['stream'] = () => ({ status: 200, body: rows() });`,
    complaint: undefined,
  },
  {
    what: 'a reply of events',
    source: `
async function* events() { yield { id: '1', data: { name: 'a' } }; yield {}; }
export const news: Handlers['news'] = () => ({ status: 200, body: events() });`,
    complaint: undefined,
  },
  {
    what: 'an event with wrong data',
    source: `export const news: Handlers['news'] = () => ({ status: 200, body: [{ data: { name: 7 } }] });`,
    complaint: `Type 'number' is not assignable to type 'string'`,
  },
  {
    what: 'a reply with a wrong body',
    source: `export const reply: CreateThingReply = { status: 201, headers: { Location: '/' }, body: { name: 7 } };`,
    complaint: `Type 'number' is not assignable to type 'string'`,
  },
  {
    what: 'a reply without a required header',
    source: `export const reply: CreateThingReply = { status: 201, body: { name: 'a' } };`,
    complaint: `headers`,
  },
  {
    what: 'a reply with a status that is not documented',
    source: `export const list: Handlers['listThings'] = () => ({ status: 202, body: [] });`,
    complaint: `Type '202' is not assignable to type '200'`,
  },
  {
    what: 'a reply with a media type that is not documented',
    source: `export const file: Handlers['getFile'] = () => ({ status: 200, type: 'text/html', body: '' });`,
    complaint: `Type '"text/html"' is not assignable`,
  },
  {
    what: 'a body where there is none',
    source: `export const gone: Handlers['deleteOperation'] = () => ({ status: 204, body: {} });`,
    complaint: `Type '{}' is not assignable to type 'undefined'`,
  },
  {
    what: 'a missing operation',
    source: `const { stream: _stream, ...rest } = stubs;\nexport const handlers: Handlers = rest;`,
    complaint: `Property 'stream' is missing`,
  },
  {
    what: 'a missing security handler',
    source: `export const securityHandlers: SecurityHandlers = { basic: () => 1, token: () => 2 };`,
    complaint: `Property ''api-key'' is missing`,
  },
  {
    what: 'a security handler for a scheme that nothing needs',
    source: `export const securityHandlers: SecurityHandlers = { basic: () => 1, token: () => 2, 'api-key': () => 3, unused: () => 4 };`,
    complaint: `'unused' does not exist`,
  },
  {
    what: 'a security handler that gives the wrong principal',
    source: `
interface Mine extends Principals { basic: { id: number } }
export const securityHandlers: SecurityHandlers<Mine> = { basic: () => 'id', token: () => 2, 'api-key': () => 3 };`,
    complaint: `Type 'string' is not assignable to type`,
  },
  {
    what: 'a parameter that is not documented',
    source: `export const get: Handlers['listThings'] = ({ query }) => ({ status: 200, body: query.nothing });`,
    complaint: `Property 'nothing' does not exist`,
  },
  {
    what: 'a principal that the operation does not ask for',
    source: `export const get: Handlers['oneScheme'] = ({ principals }) => ({ status: 200, body: principals.token });`,
    complaint: `Property 'token' does not exist`,
  },
  {
    what: 'an item used unchecked',
    source: `export const send: Handlers['sendBatch'] = ({ body }) => ({ status: 200, body: body.items.map((item) => item.name) });`,
    complaint: `'item' is of type 'unknown'`,
  },
  {
    what: 'an own answer to bad bodies where there is no body',
    source: `export const invalidBody: InvalidBodyHandlers = { listThings: () => ({ status: 200, body: [] }) };`,
    complaint: `'listThings' does not exist`,
  },
];

describe('what the generated types let compile', () => {
  const folder = temporaryFolder();
  let complaints: string[];

  beforeAll(async () => {
    const { path } = await folder;
    await generateServer(spec, path);
    await mkdir(join(path, 'user'));
    await Promise.all(sources.map(({ source }, n) => writeFile(join(path, `user/source-${n}.ts`), begin + source)));
    complaints = (await compile(path)).split(/\n(?=\S)/).filter((line) => line !== '');
  });
  afterAll(async () => (await folder)[Symbol.asyncDispose]());

  test('the generated server itself, stubs and all', () => {
    expect(complaints.filter((complaint) => !complaint.startsWith('user/'))).toEqual([]);
  });

  test.each(sources)('$what', (tested) => {
    const { complaint } = tested;
    const ours = complaints.filter((line) => line.startsWith(`user/source-${sources.indexOf(tested)}.ts`));
    if (complaint === undefined) expect(ours).toEqual([]);
    else expect(ours).toEqual([expect.stringContaining(complaint)]);
  });
});
