// @module-tag sqlite-alone
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificate, privateKey } from '../conformance/engine/http/testing/certificate.ts';
import { freePort } from '../server/storage/testing/free-port.ts';
import { batchOf, eventReport } from './support/batch.ts';
import { basic, startTestServer, type TestServer } from './support/server.ts';

/** The proxy of docs/operating.md, run as it stands there, but for its port, its certificate and where the server listens. */

const NGINX = '/usr/sbin/nginx';
const HOST = 'branchline.example.com';

const installed = existsSync(NGINX);
const title = `behind nginx, as documented${installed ? '' : ' (skipped: nginx is not installed)'}`;

describe.skipIf(!installed)(title, () => {
  let folder: string;
  let server: TestServer;
  let proxy: Proxy;
  const agent = new Agent({ allowH2: true, connect: { rejectUnauthorized: false } });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'branchline-nginx-'));
    await writeFile(join(folder, 'cert.pem'), certificate);
    await writeFile(join(folder, 'key.pem'), privateKey);
    // Whoever is slowed down stays so, however long passwords take to be checked.
    server = await startTestServer({ clock: () => Date.UTC(2026, 0, 2) });
    proxy = await startProxy(folder, Number(new URL(server.origin).port));
  });
  afterAll(async () => {
    await agent.close();
    await proxy.stop();
    await server.close();
    await rm(folder, { recursive: true });
  });

  const call = async (path: string, { method = 'GET', headers = {}, json }: Sent = {}) => {
    const answer = await request(`${proxy.origin}${path}`, {
      method,
      dispatcher: agent,
      headers: { host: HOST, ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
      body: json === undefined ? null : JSON.stringify(json),
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };

  it('the page that branchUrl leads to opens, under its own policy and over TLS alone', async () => {
    const created = await call(`${server.workspacePath}/branches/v1`, {
      method: 'POST',
      headers: { authorization: basic(server.account) },
      json: { name: 'behind-a-proxy' },
    });
    expect(created.status, created.text).toBe(201);
    const { branchUrl } = JSON.parse(created.text) as { branchUrl: string };
    const page = await call(new URL(branchUrl).pathname, { headers: { accept: 'text/html' } });
    expect(page).toMatchObject({
      status: 200,
      headers: {
        'content-security-policy': expect.stringMatching(/^default-src 'none';script-src 'self';/),
        'strict-transport-security': 'max-age=31536000',
        'cache-control': 'no-cache',
      },
    });
    const [, script = ''] = /src="(\/console\/assets\/[^"]+)"/.exec(page.text) ?? [];
    expect((await call(script)).status).toBe(200);
    expect((await call(script, { headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding']).toBe('gzip');
  });

  it('a person signs in with a cookie for TLS and this host alone', async () => {
    const token = await invite('ada@example.com');
    const answer = await signIn({ token, password: 'correct horse battery staple' });
    expect(answer.status, answer.text).toBe(201);
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^__Host-branchline-session=.*; HttpOnly; Secure; SameSite=Lax$/);
    const again = await call(`${server.workspacePath}/sessions/current/v1`, {
      headers: { cookie: cookie.split(';', 1)[0] ?? '' },
    });
    expect(JSON.parse(again.text)).toMatchObject({ email: 'ada@example.com' });
  });

  it('nobody comes from another address by saying so', async () => {
    const guess = (at: number) =>
      signIn(
        { email: `guess-${at}@example.com`, password: 'a wrong password' },
        { 'x-forwarded-for': `192.0.2.${at}` },
      );
    const statuses: number[] = [];
    for (let at = 0; at <= 20; at += 1) statuses.push((await guess(at)).status);
    expect(statuses.at(0)).toBe(401);
    expect(statuses.at(-1)).toBe(429);
  });

  it('a batch of the library is taken, and an export is as it is without the proxy', async () => {
    const sent = await call('/inspector/batches/v1', {
      method: 'POST',
      headers: { 'api-key': server.apiKey },
      json: batchOf([eventReport('Viewed', [])]),
    });
    expect(JSON.parse(sent.text)).toMatchObject({ accepted: 1 });
    const path = `${server.workspacePath}/branches/export/v1`;
    const exported = await call(path, { headers: { authorization: basic(server.account) } });
    expect(exported.text).toBe((await server.call({ path })).text);
  });

  it('what a server sends bit by bit arrives bit by bit', async () => {
    const bits = await startBits();
    const other = await startProxy(folder, (bits.server.address() as AddressInfo).port);
    const { body } = await request(`${other.origin}/`, { dispatcher: agent });
    const arrived: string[] = [];
    // Each is sent only when the one before has arrived.
    for await (const bit of body) {
      arrived.push(String(bit));
      if (arrived.length === 3) break;
      bits.next();
    }
    expect(arrived).toEqual(['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']);
    bits.server.closeAllConnections();
    bits.server.close();
    await other.stop();
  });

  async function invite(email: string): Promise<string> {
    const { users } = server.administration;
    const invited = await users.invite({ workspaceId: 'shop', email, role: 'viewer', by: undefined });
    if (typeof invited === 'string') throw new Error(invited);
    return invited.link.token;
  }

  function signIn(json: object, headers: Record<string, string> = {}) {
    // Without `Origin`, which would say that the browser came over TLS even where the proxy does not.
    const own = { 'sec-fetch-site': 'same-origin', ...headers };
    return call(`${server.workspacePath}/sessions/v1`, { method: 'POST', headers: own, json });
  }
});

interface Sent {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  json?: unknown;
}

interface Proxy {
  origin: string;
  stop: () => Promise<void>;
}

/** Runs the documented proxy in front of what listens on the port. */
async function startProxy(folder: string, to: number): Promise<Proxy> {
  const [, documented = ''] = /^```nginx\n(.*?)^```$/ms.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
  const port = await freePort();
  const site = documented
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace(/\/etc\/\S+\/fullchain\.pem/, join(folder, 'cert.pem'))
    .replace(/\/etc\/\S+\/privkey\.pem/, join(folder, 'key.pem'))
    .replace('server 127.0.0.1:3000', `server 127.0.0.1:${to}`);
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, `${kind}-${port}`)};`,
  );
  const config = join(folder, `nginx-${port}.conf`);
  await writeFile(
    config,
    `daemon off; master_process off; pid ${config}.pid; error_log stderr;
     events {} http { access_log off; ${scratch.join(' ')}\n${site}}`,
  );
  const child = spawn(NGINX, ['-c', config, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  await untilListening(child, port, () => said);
  return {
    origin: `https://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** nginx does not say which port it got, nor when it listens. */
async function untilListening(child: ChildProcess, port: number, said: () => string): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await pause(10);
  }
  throw new Error(`nginx has ended: ${said()}`);
}

/** A server whose one answer never ends, and goes on by a bit each time that it is told to. */
async function startBits(): Promise<{ server: Server; next: () => void }> {
  let sent = 0;
  let next = (): void => {};
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    next = () => response.write(`data: ${(sent += 1)}\n\n`);
    next();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, next: () => next() };
}
