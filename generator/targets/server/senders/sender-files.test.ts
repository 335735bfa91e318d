import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile } from '../../../testing/compile.ts';
import { generateServer, temporaryFolder } from '../../../testing/generated-server.ts';
import { contractFrom } from '../../../testing/served-contract.ts';
import { makeSenderFiles } from './sender-files.ts';

const spec = fileURLToPath(new URL('testing/streams.yaml', import.meta.url));
const folder = temporaryFolder();

beforeAll(async () => generateServer(spec, (await folder).path));
afterAll(async () => (await folder)[Symbol.asyncDispose]());

test('nothing is generated where a contract has neither', async () => {
  const contract = await contractFrom({ openapi: '3.1.0', info: { title: 'a', version: '1' }, paths: {} });
  expect(await makeSenderFiles(contract)).toEqual([]);
});

test('a malformed expression is warned of by its line, and makes no URL', async () => {
  const text = await readFile(spec, 'utf8');
  const contract = await contractFrom(text);
  const files = new Map(await makeSenderFiles(contract));
  const line = text.split('\n').findIndex((one) => one.includes('{$request.body.pauseUrl}')) + 1;
  expect(contract.warnings).toEqual([
    {
      position: { line, column: 11 },
      sentence:
        'The callback\'s key "{$request.body.pauseUrl}" holds "$request.body.pauseUrl", which is no runtime expression; write it like "{$request.body#/callbackUrl}", else its URL is not made.',
    },
  ]);
  const senders = files.get('senders.ts') ?? '';
  expect(senders).toContain('openStreamOnPause(url: string, ');
  expect([...senders.matchAll(/(\w+): \(exchange: (\S+)\)/g)].map(([, name, type]) => [name, type])).toEqual([
    ['openStreamOnReading', 'Required<Exchange>'],
    ['openStreamOnStall', 'Exchange'],
    ['streamEnded', 'Exchange'],
  ]);
});

test('the types have of the components what is used', async () => {
  const { path } = await folder;
  const types = await readFile(join(path, 'server/generated/senders/types.ts'), 'utf8');
  const [, schemas = ''] = /^ {4}schemas: \{$([^]*?)^ {4}\};$/m.exec(types) ?? [];
  expect([...schemas.matchAll(/^ {8}(\w+): \{$/gm)].map(([, name]) => name)).toEqual([
    'Stream',
    'Reading',
    'Problem',
    'StreamRequest',
  ]);
});

describe('the types', () => {
  const use = `import { createHmac } from 'node:crypto';
import type { Handlers } from './server/generated/handlers.ts';
import { callbackUrls, CallbackUrlError, createSenders, SendError } from './server/generated/senders.ts';
export const senders = createSenders({
  auth: { service: () => 'secret' },
  permit: ({ host, address, port }) => host === 'inner.example' && address.startsWith('10.') && port === 443,
  timeout: 5000,
  beforeSend({ url, headers, body }) { headers.set('signature', createHmac('sha256', url).update(body).digest('hex')); },
});
export const openStream: Handlers['openStream'] = async (request) => {
  const reply = { status: 201 as const, body: { id: '1', topic: 't' } };
  try {
    const url = callbackUrls.openStreamOnReading({ request, reply });
    const answer = await senders.openStreamOnReading(url, { body: { value: 7 } });
    if (answer.status === 410) answer.body.error.trim();
    await senders.streamEnded(callbackUrls.streamEnded({ request }));
  } catch (error) {
    if (error instanceof CallbackUrlError) return { status: 400, body: { error: error.message } };
    if (error instanceof SendError && error.kind === 'timeout') console.error(error.message);
  }
  return reply;
};
const changed = await senders.streamChanged('https://a.example/{receiver}', { params: { receiver: 'x' }, headers: { 'X-Attempt': 1 }, body: { topic: 't', secret: 's' } });
if (changed.status === 200) changed.body.seen.valueOf();
await senders.openStreamOnStall('https://a.example/', { body: { since: 7 } });
await senders.photoTaken('https://a.example/', { body: { photo: new Blob(['x']) } });
`;
  const misuses = [
    {
      what: 'a body of another type',
      code: "senders.openStreamOnReading('', { body: { value: 'x' } });",
      says: "'string'",
    },
    { what: 'a body that is missing', code: "senders.openStreamOnReading('');", says: 'Expected 2-3 arguments' },
    {
      what: 'a parameter that is missing',
      code: "senders.streamChanged('', { params: { receiver: 'x' }, body: { topic: 't', secret: 's' } });",
      says: "'StreamChangedRequest'",
    },
    {
      what: 'what a sender has to give',
      code: "senders.streamChanged('', { params: { receiver: 'x' }, headers: { 'X-Attempt': 1 }, body: { topic: 't' } });",
      says: '{ topic: string; }',
    },
    { what: 'a status that is not documented', code: 'if (changed.status === 201) changed;', says: 'no overlap' },
    {
      what: 'a reply that the URL is made of',
      code: "export const h: Handlers['openStream'] = (request) => { callbackUrls.openStreamOnReading({ request }); throw new Error(); };",
      says: 'Required<Exchange>',
    },
    { what: 'a URL that is not made', code: 'callbackUrls.openStreamOnPause;', says: "'openStreamOnPause'" },
    { what: 'a scheme that no hook has', code: "createSenders({ auth: { unused: 'x' } });", says: "'unused'" },
  ];

  test('compile under strict options, and refuse what does not fit', async () => {
    const { path } = await folder;
    await writeFile(join(path, 'use.ts'), use + misuses.map(({ code }) => `${code}\n`).join(''));
    const complaints = (await compile(path)).split('\n').filter((line) => line !== '' && !line.startsWith(' '));
    const first = use.split('\n').length;
    expect(complaints.filter((line) => !misuses.some((_one, n) => line.startsWith(`use.ts(${first + n},`)))).toEqual(
      [],
    );
    for (const [index, { what, says }] of misuses.entries()) {
      const line = complaints.find((complaint) => complaint.startsWith(`use.ts(${first + index},`));
      expect({ what, line }).toEqual({ what, line: expect.stringContaining(says) });
    }
  });
});
