// @module-tag sqlite-alone
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('/docs', () => {
  it('renders the contract from this server alone', async () => {
    const page = await server.call({ path: '/docs' });
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    for (const path of await listDocsPaths()) {
      expect(path).toMatch(/^\/docs(\/|$)/);
      expect((await server.call({ path })).status, path).toBe(200);
    }
  });

  it('is sent compressed to whoever takes that, and is the same for others', async () => {
    for (const path of await listDocsPaths()) {
      const plain = await server.call({ path });
      expect(plain.headers, path).not.toHaveProperty('content-encoding');
      const zipped = await server.call({ path, headers: { 'accept-encoding': 'br;q=1.0, gzip;q=0.8' } });
      expect(zipped.headers, path).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
      expect(gunzipSync(zipped.bytes).equals(plain.bytes), path).toBe(true);
      expect(zipped.headers['content-length']).toBe(String(zipped.bytes.length));
      for (const refused of ['identity', 'gzip;q=0', 'gzip; q=0.000', '*']) {
        const answer = await server.call({ path, headers: { 'accept-encoding': refused } });
        expect(answer.headers, refused).not.toHaveProperty('content-encoding');
      }
    }
  });

  it('is sent once: what has its version in the path may be kept for ever, all else is asked for again', async () => {
    for (const path of await listDocsPaths()) {
      const { headers } = await server.call({ path });
      expect(headers['cache-control'], path).toBe(
        path.startsWith('/docs/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
      const etag = headers.etag ?? '';
      for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
        const again = await server.call({ path, headers: { 'if-none-match': known } });
        expect(again, `${path} ${known}`).toMatchObject({ status: 304, headers: { etag } });
        expect(again.bytes).toHaveLength(0);
      }
      expect((await server.call({ path, headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    }
  });

  it('is not there where the operator wants none', async () => {
    const without = await startTestServer({ docs: false });
    for (const path of await listDocsPaths()) expect((await without.call({ path })).status, path).toBe(404);
    await without.close();
  });

  it('serves nothing else of the folder that its files come from', async () => {
    for (const path of [
      '/docs/assets/package.json',
      '/docs/assets/../package.json',
      '/docs/assets/',
      '/docs/assets/%2e%2e/%2e%2e/package.json',
    ]) {
      expect([403, 404], path).toContain((await server.call({ path })).status);
    }
  });
});

/** The page and all that it loads. */
async function listDocsPaths(): Promise<string[]> {
  const { text } = await server.call({ path: '/docs' });
  const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
  expect(links.length).toBeGreaterThan(3);
  return ['/docs', ...links, '/docs/openapi.json'];
}
