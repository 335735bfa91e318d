// @module-tag sqlite-alone
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OwnCertificate } from '../server/tls/own-certificate.ts';
import { branchline, type ServerProcess, startProcess } from './support/command-line.ts';
import type { Received } from './support/exchange.ts';
import { basic, startTestServer, type TestServer } from './support/server.ts';

/** One request on a connection over TLS of its own, and the certificate that was shown. */
async function get(url: string, options: RequestOptions = {}): Promise<Received & { fingerprint: string }> {
  const outgoing = request(url, { rejectUnauthorized: false, agent: false, ...options }).end();
  const [incoming] = await once(outgoing, 'response');
  const { fingerprint256 } = incoming.socket.getPeerCertificate();
  const bytes = Buffer.concat(await incoming.toArray());
  return { status: incoming.statusCode, headers: incoming.headers, bytes, fingerprint: fingerprint256 };
}

async function openTls(origin: string): Promise<TLSSocket> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket.on('error', () => {});
}

/** Sends the text and reads until the server ends the connection, how ever it does. */
function exchangeToEnd(socket: TLSSocket, text: string): Promise<string> {
  let read = '';
  socket.on('data', (bytes: Buffer) => (read += bytes.toString()));
  socket.write(text);
  return new Promise((resolve) => socket.once('close', () => resolve(read)));
}

function overTls(origin: string): string {
  return origin.replace('http:', 'https:');
}

describe('over TLS', () => {
  let server: TestServer;
  let origin: string;
  beforeAll(async () => {
    server = await startTestServer();
    origin = overTls(server.origin);
  });
  afterAll(() => server.close());

  it('operations answer as they do over plain HTTP', async () => {
    const path = `${server.workspacePath}/branches/export/v1`;
    const plain = await server.call({ path });
    const secure = await get(`${origin}${path}`, { headers: { authorization: basic(server.account) } });
    expect(secure).toMatchObject({ status: 200, headers: { 'content-type': plain.headers['content-type'] } });
    expect(secure.bytes).toEqual(plain.bytes);
  });

  it('large files are as they are over plain HTTP, and warn of nothing', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): unknown => warnings.push(message);
    process.on('warning', note);
    const path = '/docs/openapi.json';
    const plain = await server.call({ path });
    const secure = await get(`${origin}${path}`);
    process.off('warning', note);
    expect(secure.headers['content-length']).toBe(String(plain.bytes.length));
    expect(secure.bytes).toEqual(plain.bytes);
    expect(warnings).toEqual([]);
  });

  it('errors of no request have the body of every other error', async () => {
    for (const [text, status] of [
      ['no request\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      ['CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', 405],
    ] as const) {
      const answer = await exchangeToEnd(await openTls(origin), text);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toMatch(/\{"error":"[^"]+"\}$/);
    }
  });

  it('a client that sends requests and takes no answers is cut off, and others are served', async () => {
    const greedy = 'GET /docs/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_000);
    const answer = await exchangeToEnd(await openTls(origin), greedy);
    expect(answer.split('HTTP/1.1 200').length - 1).toBeLessThanOrEqual(32);
    expect((await get(`${origin}/livez`)).status).toBe(200);
  });

  it('what is no body, while a reply is awaited, is refused and ends the connection, and others are served', async () => {
    const socket = await openTls(origin);
    socket.once('data', () => socket.write('no chunk\r\n'));
    const answer = await exchangeToEnd(
      socket,
      `POST ${server.workspacePath}/branches/v1 HTTP/1.1\r\nhost: x\r\nauthorization: ${basic(server.account)}\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 400 [^]*\{"error":"[^"]+"\}$/);
    expect((await get(`${origin}/livez`)).status).toBe(200);
  });

  it('no header demands TLS as long as browsers do not trust the certificate', async () => {
    const { headers } = await get(`${origin}/livez`, { headers: { host: 'branchline.example.com' } });
    expect(headers).not.toHaveProperty('strict-transport-security');
  });
});

describe('the process', () => {
  let folder: string;
  let database: string;
  const servers: ServerProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'branchline-tls-'));
    database = join(folder, 'branchline.db');
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  async function start(args: string[] = []): Promise<ServerProcess> {
    const server = await startProcess(database, ['--drain-delay', '0', ...args]);
    servers.push(server);
    return server;
  }

  async function writeCertificate(name: string): Promise<{ cert: string; key: string; pem: string }> {
    const files = { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
    const logger = pino({ level: 'silent' });
    const source = new OwnCertificate({ host: 'branchline.example.com', file: undefined, clock: Date.now, logger });
    const { cert, key } = await source.current();
    writeFileSync(files.cert, cert);
    writeFileSync(files.key, key);
    return { ...files, pem: cert };
  }

  it('answers all clients of a network that ask again once there is an answer, however many they are', async () => {
    const { origin } = await start();
    const ask = 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n';
    const askInSeries = async (): Promise<number> => {
      const socket = await openTls(overTls(origin));
      let answers = 0;
      socket.on('data', (bytes: Buffer) => {
        answers += bytes.toString().split('HTTP/1.1 200').length - 1;
        if (answers >= 50) socket.destroy();
        else socket.write(ask);
      });
      socket.write(ask);
      await once(socket, 'close');
      return answers;
    };
    const answers = await Promise.all(Array.from({ length: 150 }, askInSeries));
    expect(answers.filter((count) => count < 50)).toEqual([]);
  });

  it('answers the branchUrl of Create Branch, with a certificate for that address', async () => {
    const { origin, output } = await start();
    const [, credentials = ''] = /-u '([^']+)'/.exec(output()) ?? [];
    const created = await fetch(`${origin}/workspaces/demo/branches/v1`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: '{"name":"first"}',
    });
    const { branchUrl } = (await created.json()) as { branchUrl: string };
    expect(branchUrl).toMatch(/^https:\/\/localhost:\d+\/schemas\/demo\/branches\//);
    // The certificate is there from the first connection on.
    await get(branchUrl);
    const answer = await get(branchUrl, { rejectUnauthorized: true, ca: readFileSync(`${database}.tls.pem`) });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  });

  it('makes no certificate as long as nobody asks for TLS, and shows the same one after a restart', async () => {
    const first = await start();
    await fetch(`${first.origin}/livez`);
    expect(existsSync(`${database}.tls.pem`)).toBe(false);
    const before = await get(`${overTls(first.origin)}/livez`);
    await first.stop();
    const second = await start();
    expect((await get(`${overTls(second.origin)}/livez`)).fingerprint).toBe(before.fingerprint);
  });

  it('answers at each address of localhost over TLS if it answers there at all', async () => {
    const { port } = new URL((await start(['--host', 'localhost'])).origin);
    const answers = async (url: string) =>
      get(url).then(
        ({ status }) => status,
        (error: NodeJS.ErrnoException) => error.code,
      );
    expect(await answers(`https://localhost:${port}/livez`)).toBe(200);
    for (const address of ['127.0.0.1', '[::1]']) {
      const plain = await fetch(`http://${address}:${port}/livez`).then(
        ({ status }) => status,
        (error: Error) => Object(error.cause).code,
      );
      expect(await answers(`https://${address}:${port}/livez`)).toBe(plain);
    }
  });

  it('ends requests over TLS that are under way at SIGTERM, closes idle connections, and exits with 0', async () => {
    const server = await start();
    const idle = await openTls(server.origin);
    const isClosed = once(idle.resume(), 'close');
    idle.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n');
    const slow = await openTls(server.origin);
    const answer = exchangeToEnd(
      slow,
      'POST /inspector/batches/v1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\napi-key: x\r\n',
    );
    server.process.kill('SIGTERM');
    await isClosed;
    slow.write('\r\n{}');
    expect(await answer).toMatch(/^HTTP\/1.1 401 /);
    expect(await server.ended).toBe(0);
  });

  it('shows the certificate that it is given, and tells browsers to stay with TLS, but for localhost', async () => {
    const { cert, key, pem } = await writeCertificate('given');
    const { origin } = await start(['--tls-cert', cert, '--tls-key', key]);
    const url = `${overTls(origin)}/livez`;
    const trusted = { rejectUnauthorized: true, ca: pem, servername: 'branchline.example.com' };
    const asked = (host: string) => get(url, { ...trusted, headers: { host } });
    expect((await asked('branchline.example.com')).headers['strict-transport-security']).toBe('max-age=31536000');
    for (const host of ['localhost:3000', 'LocalHost', 'localhost.', 'a.localhost'])
      expect((await asked(host)).headers).not.toHaveProperty('strict-transport-security');
    const plain = await fetch(`${origin}/livez`);
    expect(plain.headers.has('strict-transport-security')).toBe(false);
    expect(existsSync(`${database}.tls.pem`)).toBe(false);
  });

  it.each<[string, (files: Record<'cert' | 'key' | 'other' | 'missing' | 'text', string>) => string[], RegExp]>([
    [
      'a certificate without its key',
      ({ cert }) => ['--tls-cert', cert],
      /A certificate needs its key: give --tls-cert and --tls-key, or neither\./,
    ],
    ['a key without its certificate', ({ key }) => ['--tls-key', key], /give --tls-cert and --tls-key, or neither\./],
    [
      'a file that is not there',
      ({ missing, key }) => ['--tls-cert', missing, '--tls-key', key],
      /The file of --tls-cert can't be read: ENOENT.*missing\.pem/,
    ],
    [
      'a file that holds no certificate',
      ({ text, key }) => ['--tls-cert', text, '--tls-key', key],
      /The file .*text\.pem of --tls-cert holds no certificate\. It must be PEM/,
    ],
    [
      'a file that holds no key',
      ({ cert, text }) => ['--tls-cert', cert, '--tls-key', text],
      /The file .*text\.pem of --tls-key holds no private key, or one with a passphrase/,
    ],
    [
      'the key of another certificate',
      ({ cert, other }) => ['--tls-cert', cert, '--tls-key', other],
      /The key in .*other\.key does not belong to the first certificate in .*given\.crt\./,
    ],
  ])('refuses %s with a sentence, and makes no database', async (_what, args, sentence) => {
    const given = await writeCertificate('given');
    const other = await writeCertificate('other');
    const text = join(folder, 'text.pem');
    writeFileSync(text, 'no PEM');
    const files = { cert: given.cert, key: given.key, other: other.key, missing: join(folder, 'missing.pem'), text };
    const refused = await branchline(['serve', '--port', '0', '--database', database, ...args(files)]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(sentence);
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(database)).toBe(false);
  });
});
