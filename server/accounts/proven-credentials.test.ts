import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { formatApiKey } from './api-key-text.ts';
import { ProvenCredentials } from './proven-credentials.ts';
import { compileTrusted, createAddressFinder } from '../http/client-address.ts';
import { chooseShare as chooseShareOf } from './request-share.ts';

const SECRET = 'x'.repeat(43);
const KEY = formatApiKey({ workspaceId: 'shop', keyId: 'k1', secret: SECRET });
const BASIC = Buffer.from('ci:right').toString('base64');

const findAddress = createAddressFinder(compileTrusted('loopback, 198.51.100.0/24'));

function chooseShare(request: IncomingMessage, known: ProvenCredentials) {
  return chooseShareOf(request, known, findAddress);
}

function proven(): ProvenCredentials {
  const known = new ProvenCredentials();
  known.learn(KEY, 'shop');
  known.learn(BASIC, 'shop');
  known.learn(SECRET, 'shop');
  return known;
}

function requestOf(
  headers: Record<string, string>,
  { url = '/inspector/batches/v1', remoteAddress = '192.0.2.1' } = {},
): IncomingMessage {
  return { headers, url, socket: { remoteAddress } } as unknown as IncomingMessage;
}

it.each([
  ['an API key', { 'api-key': KEY }],
  ['a service account', { authorization: `Basic ${BASIC}` }],
  ['a service account whose scheme is written otherwise', { authorization: `bAsIc   ${BASIC}` }],
  ['a session', { cookie: `other=1; branchline-session=shop.${SECRET}` }],
])('counts a request for the workspace of what was right before: %s', (_what, headers) => {
  expect(chooseShare(requestOf(headers), proven())).toMatchObject({ holder: 'workspace shop' });
});

it.each([
  ['a wrong secret of a real key', { 'api-key': KEY.replace(/x$/, 'y') }],
  ['a wrong secret of a real account', { authorization: `Basic ${Buffer.from('ci:wrong').toString('base64')}` }],
  ['a wrong session', { cookie: `branchline-session=shop.${'y'.repeat(43)}` }],
  ['no credential', {}],
])('counts all else for strangers, by network: %s', (_what, headers) => {
  const share = (remoteAddress: string) => chooseShare(requestOf(headers, { remoteAddress }), proven());
  expect(share('::ffff:192.0.2.1')).toEqual({ holder: 'strangers', part: '192.0.2.1' });
  expect(share('2001:db8::1')).toEqual({ holder: 'strangers', part: share('2001:db8::2').part });
});

it('counts strangers by the network that a trusted proxy names, and by that of the connection otherwise', () => {
  const part = (remoteAddress: string, addresses: string) =>
    chooseShare(requestOf({ 'x-forwarded-for': addresses }, { remoteAddress }), proven()).part;
  expect(part('127.0.0.1', '203.0.113.9, 192.0.2.7:50000')).toBe('192.0.2.7');
  expect(part('198.51.100.3', '203.0.113.9, 192.0.2.7, 198.51.100.1')).toBe('192.0.2.7');
  expect(part('192.0.2.1', '203.0.113.9')).toBe('192.0.2.1');
  expect(part('127.0.0.1', 'nothing')).toBe('127.0.0.1');
  expect(part('127.0.0.1', `203.0.113.9, ${'192.0.2.8, '.repeat(5_000)}192.0.2.7`)).toBe('192.0.2.7');
});

it('has the credentials of a workspace take turns, wherever they come from', () => {
  const known = proven();
  const key = chooseShare(requestOf({ 'api-key': KEY }), known);
  expect(chooseShare(requestOf({ 'api-key': KEY }, { remoteAddress: '192.0.2.2' }), known)).toEqual(key);
  expect(chooseShare(requestOf({ authorization: `Basic ${BASIC}` }), known).part).not.toBe(key.part);
});

it('counts whoever asks for the health apart from strangers, and each check for itself', () => {
  for (const url of ['/livez', '/readyz']) expect(chooseShare(requestOf({}, { url }), proven()).holder).toBe(url);
  expect(chooseShare(requestOf({}, { url: '/livez?x' }), proven()).holder).toBe('strangers');
});

it('forgets what is right no more', () => {
  const known = proven();
  known.learn(KEY, undefined);
  expect(known.find(KEY)).toBeUndefined();
});

it('remembers no credential in clear', () => {
  const { digest } = proven().find(KEY) ?? { digest: '' };
  expect(digest).toMatch(/^[\w+/]{43}=$/);
  expect(proven().find(KEY)?.digest, 'and another process has another digest').not.toBe(digest);
});

it('remembers as many as may be, those used last, and those of other workspaces', () => {
  const known = proven();
  known.learn('of another', 'other');
  for (let count = 0; count <= 10_000; count += 1) {
    known.learn(`credential ${count}`, 'shop');
    known.find('credential 0');
  }
  expect(known.find('credential 0')).toBeDefined();
  expect(known.find('credential 1')).toBeUndefined();
  expect(known.find('of another')).toBeDefined();
});
