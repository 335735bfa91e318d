// @module-tag both-engines
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeProperties } from '../../console/src/inspector/described-schema.ts';
import { jsonSchemaText } from '../../console/src/inspector/json-schema.ts';
import { kotlinMapText } from '../../console/src/inspector/kotlin-map.ts';
import { eventNameIn, paths } from '../../console/src/navigation/paths.ts';
import { ROUTES } from '../../server/console/page-routes.ts';
import { EMAIL_PATTERN } from '../../console/src/parts/email.ts';
import { visibleText } from '../../console/src/parts/visible-text.ts';
import contract from '../../server/generated/contract.json' with { type: 'json' };
import { expectError } from '../support/expect-error.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** The rows of docs/decisions.md, "Console", over HTTP, under their names. */

/** What a browser asks for when a person opens a link. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };

const PAGES = [
  '/',
  '/sign-in',
  '/sign-in/oidc?code=x&state=shop.y',
  '/schemas/shop/branches',
  '/schemas/shop/settings/people?cursor=x',
  '/schemas/shop/branches/',
  '/schemas/unknown/branches/unknown',
  ...Object.values(ROUTES).map((route) => route.replaceAll(':', '')),
];

const UNKNOWN = [
  '/nothing/here',
  '/schemas/',
  '/schemas/shop',
  '/schemas/shop/unknown',
  '/schemas//branches',
  '/schemas/shop/branches/x/y',
];

const POLICY =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';font-src 'self';" +
  "form-action 'self';base-uri 'none';frame-ancestors 'none'";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = BROWSER) => server.call({ path, headers, as: null });

describe('Pages', () => {
  it.each(PAGES)('%s is the page, which is asked for again each time', async (path) => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(headers['content-security-policy']).toBe(POLICY);
    expect(text).toContain('<div id="console"></div>');
  });

  it('hold neither script nor style, so that the policy can forbid both', async () => {
    const { text } = await get('/');
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  });

  it('load files whose names change with their content: compressed, and kept for ever', async () => {
    const { text } = await get('/');
    const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    const assets = links.filter((link) => link !== '/docs');
    expect(assets.length).toBeGreaterThan(1);
    for (const path of assets) {
      expect(path).toMatch(/^\/console\/assets\/[\w.-]+-[\w-]{8}\.\w+$/);
      const zipped = await get(path, { 'accept-encoding': 'gzip' });
      expect(zipped, path).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'public, max-age=31536000, immutable', 'content-encoding': 'gzip' },
      });
      expect(gunzipSync(zipped.bytes).equals((await get(path)).bytes)).toBe(true);
    }
  });

  it('can only be read', async () => {
    for (const path of ['/', '/sign-in', '/schemas/shop/branches']) {
      expectError(await server.call({ method: 'POST', path, as: null }), 405);
    }
  });

  it('serve nothing else of the folder that they were built into', async () => {
    for (const path of ['/console/assets/', '/console/assets/../index.html', '/console/assets/%2e%2e/index.html']) {
      expect((await get(path)).status, path).toBe(404);
    }
  });

  it('stand in the way of no operation', () => {
    const paths = Object.keys(contract.paths);
    expect(paths.filter((path) => /^\/($|sign-in$|schemas(\/|$)|console(\/|$))/.test(path))).toEqual([]);
  });
});

describe.each(UNKNOWN)('Unknown path %s', (path) => {
  it('is a page for a browser', async () => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(404);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'accept' });
    expect(headers['content-security-policy']).toBe(POLICY);
    expect(text).toContain('<div id="console"></div>');
  });

  it.each([
    ['curl', { accept: '*/*' }],
    ['a program that says nothing', {}],
    ['a program', { accept: 'application/json' }],
    ['a program that names a page behind more types than are read', { accept: `${'a/b,'.repeat(32)}text/html` }],
    ['a program that would take a page if it must', { accept: 'application/json, text/html;q=0.5' }],
  ])('is JSON for %s', async (_who, headers) => {
    const answer = await get(path, headers);
    expectError(answer, 404, 'There is nothing to GET at this path.');
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept' });
  });

  it('is JSON for a browser whose script posts', async () => {
    expectError(await server.call({ method: 'POST', path, headers: BROWSER, as: null }), 404);
  });
});

describe('Unknown path', () => {
  it('is one only where there is nothing: an operation answers a browser as anybody', async () => {
    expectError(await get(`${server.workspacePath}/branches/v1`), 401);
  });
});

it('Not built: says how to build it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
  const unbuilt = await startTestServer({ consoleFolder: folder });
  for (const path of PAGES) {
    expectError(
      await unbuilt.call({ path, headers: BROWSER, as: null }),
      503,
      "The console has not been built. Run `npm run build:console` in Branchline's own folder, then start the server again.",
    );
  }
  expectError(await unbuilt.call({ path: '/nothing', headers: BROWSER, as: null }), 404);
  await unbuilt.close();
  rmSync(folder, { recursive: true });
});

describe('Address of an event', () => {
  it.each(['Paid', 'a/b', '%2F', '.', '..', '~', '~..'])('names %s, and is answered with the page', async (name) => {
    const { pathname } = new URL(paths.event('shop', name), server.origin);
    expect(pathname).toBe(paths.event('shop', name));
    expect(eventNameIn(decodeURIComponent(pathname.split('/').at(-1) ?? ''))).toBe(name);
    expect((await get(pathname)).status).toBe(200);
  });

  it('is answered however long the name is', async () => {
    expect((await get(paths.event('shop', '名'.repeat(1_024)))).status).toBe(200);
  });
});

it('E-mails typed: the pages take those that the contract takes', () => {
  expect(EMAIL_PATTERN).toBe(contract.components.schemas.Email.pattern);
});

it('Names in sight: what can’t be seen shows as its number, and is escaped in what is copied', () => {
  const name = 'a\u202Eb\u00A0';
  expect(visibleText(name)).toBe('a⟨U+202E⟩b⟨U+00A0⟩');
  expect(jsonSchemaText(name, [])).toContain(String.raw`"a\u202eb\u00a0"`);
  expect(kotlinMapText(name, [])).toContain(String.raw`"a\u202eb\u00a0"`);
});

it('Copied schema: requires what all events have, and the Kotlin map has the most frequent type', () => {
  const seen = { firstSeen: '2026-01-02T03:04:05.678Z', lastSeen: '2026-01-02T03:04:05.678Z' };
  const properties = describeProperties(
    [
      { property: ['often'], presence: 0.5, count: 1, types: [{ type: 'int', count: 1, seenIn: [] }], ...seen },
      {
        property: ['always'],
        presence: 1,
        count: 2,
        types: [
          { type: 'string', count: 1, seenIn: [] },
          { type: 'null', count: 1, seenIn: [] },
        ],
        ...seen,
      },
    ],
    2,
  );
  expect(JSON.parse(jsonSchemaText('Paid', properties))).toMatchObject({ required: ['always'] });
  expect(kotlinMapText('Paid', properties)).toContain(
    '"always" to ServiceEventSchemaType.ServiceString(), // also null',
  );
});
