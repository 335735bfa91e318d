// @module-tag both-engines
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildMetricsListener, MAX_METRICS_CONNECTIONS } from '../server/http/metrics-listener.ts';
import { closed, LIVE_REQUEST, openConnection } from './proofs/support/raw-client.ts';
import { Browser } from './support/browser.ts';
import { exchange } from './support/exchange.ts';
import { expectError } from './support/expect-error.ts';
import { basic, startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let log: string[];

beforeEach(async () => {
  log = [];
  server = await startTestServer({ log: { write: (line) => log.push(line) }, logLevel: 'trace' });
});
afterEach(() => server.close());

describe('/livez and /readyz', () => {
  it('answer 200 while all is well', async () => {
    for (const path of ['/livez', '/readyz']) expect((await server.call({ path })).status, path).toBe(200);
  });

  it('tell stopping from dead', async () => {
    server.readiness.stopping = true;
    const answer = await server.call({ path: '/readyz' });
    expect(answer.status).toBe(503);
    expect(answer.json()).toEqual({ error: 'The server is stopping.' });
    expect((await server.call({ path: '/livez' })).status).toBe(200);
  });

  it('/readyz turns when the database does not answer', async () => {
    server.administration.storage.ping = () => Promise.reject(new Error('The disk went away (a fault of this test).'));
    expect((await server.call({ path: '/readyz' })).json()).toEqual({
      error: 'The database does not answer, or takes no writes.',
    });
  });

  it('/readyz has the database looked at ten times a second, however often it is asked', async () => {
    const looked = vi.spyOn(server.administration.storage, 'ping');
    const began = performance.now();
    for (let round = 0; round < 3; round += 1) {
      const answers = Array.from({ length: 50 }, () => server.call({ path: '/readyz' }));
      for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    }
    expect(looked.mock.calls.length).toBeLessThanOrEqual(2 + (performance.now() - began) / 100);
  });
});

describe('metrics', () => {
  it('are not served beside the contract', async () => {
    expect((await server.call({ path: '/metrics' })).status).toBe(404);
  });

  it('are served by a port of their own, which has nothing else', async () => {
    const listener = await buildMetricsListener(server.metrics, pino({ level: 'silent' }));
    const origin = await listener.listen({ host: '127.0.0.1', port: 0 });
    const answer = await exchange(origin, { path: '/metrics' });
    expect(answer).toMatchObject({ status: 200, headers: { 'x-content-type-options': 'nosniff' } });
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(answer.bytes.toString()).toContain('branchline_log_lines_dropped_total 0');
    expect(await exchange(origin, { path: '/metrics', method: 'POST' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    });
    for (const path of ['/', '/livez', '/docs', `${server.workspacePath}/branches/v1`]) {
      const { status, bytes } = await exchange(origin, { path });
      expect(status, path).toBe(404);
      expect(JSON.parse(bytes.toString()), path).toEqual({ error: expect.stringMatching(/\.$/) });
    }
    await listener.close();
  });

  it('are served whoever has all connections of their port and asks nothing', async () => {
    const listener = await buildMetricsListener(server.metrics, pino({ level: 'silent' }));
    const origin = await listener.listen({ host: '127.0.0.1', port: 0 });
    const silent: Socket[] = [];
    while (silent.length < MAX_METRICS_CONNECTIONS) silent.push(await openConnection(origin));
    expect(await exchange(origin, { path: '/metrics' })).toMatchObject({ status: 200 });
    for (const socket of silent) socket.destroy();
    await listener.close();
  });

  it('say nothing of the database where a client breaks off a body', async () => {
    const listener = await buildMetricsListener(server.metrics, pino({}, { write: (line: string) => log.push(line) }));
    const { hostname, port } = new URL(await listener.listen({ host: '127.0.0.1', port: 0 }));
    log.length = 0;
    for (const rest of ['content-length: 50\r\n\r\nab', 'transfer-encoding: chunked\r\n\r\n2\r\nab\r\nZZ\r\n']) {
      const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {});
      socket.end(`POST /x HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${rest}`);
      await once(socket.resume(), 'close');
    }
    await listener.close();
    expect(log.join('')).not.toMatch(/not served|database/);
  });

  it('count requests by operation and status, and name no tenant', async () => {
    await server.call({ path: `${server.workspacePath}/branches/v1` });
    await server.call({ path: `${server.workspacePath}/branches/v1`, as: null });
    const text = await server.metrics.registry.metrics();
    expect(text).toContain('branchline_request_seconds_count{operation="listBranches",status="200"} 1');
    expect(text).toContain('branchline_request_seconds_count{operation="listBranches",status="401"} 1');
    for (const tenant of [server.workspaceId, server.account.name, server.account.accountId]) {
      expect(text).not.toContain(`"${tenant}`);
    }
  });

  it('do not grow with the paths that somebody tries', async () => {
    for (let i = 0; i < 20; i += 1) await server.call({ path: `/nothing/${i}` });
    const text = await server.metrics.registry.metrics();
    expect(text.match(/branchline_request_seconds_count\{[^}]*404/g)).toHaveLength(1);
  });
});

describe('connections', () => {
  it('that send nothing give way to others: /livez is answered, and it is counted', async () => {
    const bounded = await startTestServer({ maxConnections: 20 });
    const silent: Socket[] = [];
    while (silent.length < 30) silent.push(await openConnection(bounded.origin));
    let probes = 0;
    const probe = async (): Promise<number> => {
      probes += 1;
      const socket = await openConnection(bounded.origin);
      socket.write(LIVE_REQUEST);
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
      return silent.filter(({ closed: isClosed }) => isClosed).length;
    };
    // They have a moment to ask for something.
    await expect.poll(probe).toBeGreaterThan(10);
    expect(await bounded.metrics.registry.metrics()).toContain(`crowded_out_total{outcome="gave-way"} ${10 + probes}`);
    await bounded.close();
  });

  it('with a request under way give way to none: past the bound, others are closed as they come', async () => {
    const bounded = await startTestServer({ maxConnections: 2 });
    const authorization = basic(bounded.account);
    const path = `${bounded.workspacePath}/inspector/live/v1`;
    const streams = await Promise.all([openConnection(bounded.origin), openConnection(bounded.origin)]);
    for (const stream of streams) {
      stream.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`);
      expect(String((await once(stream, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    }
    await closed(await openConnection(bounded.origin));
    expect(streams.map((stream) => stream.destroyed)).toEqual([false, false]);
    expect(await bounded.metrics.registry.metrics()).toContain('crowded_out_total{outcome="refused"} 1');
    await bounded.close();
  });
});

describe('security headers', () => {
  it('are on every answer', async () => {
    for (const path of ['/docs', '/nothing', `${server.workspacePath}/branches/v1`]) {
      const { headers } = await server.call({ path });
      expect(headers['x-content-type-options'], path).toBe('nosniff');
      expect(headers['x-frame-options'], path).toBeDefined();
    }
  });
});

describe('the log', () => {
  it.each(['/%', '/workspaces/%zz/branches/v1', '/a%ff?b=%20'])(
    'has a line for a request whose path can not be decoded: %s',
    async (path) => {
      const id = `undecodable-${path.length}`;
      expectError(await server.call({ path, headers: { 'x-request-id': id } }), 400);
      await expect.poll(() => log.join('')).toContain(id);
      const line = log.map((text) => JSON.parse(text)).find(({ requestId }) => requestId === id);
      expect(line).toMatchObject({ msg: 'answered', method: 'GET', status: 400 });
    },
  );

  it('has one line of JSON for each request, with its id, operation, status and time', async () => {
    await server.call({ path: `${server.workspacePath}/branches/v1`, headers: { 'x-request-id': 'find-me' } });
    await expect.poll(() => log.join('')).toContain('find-me');
    const lines = log
      .map((line) => JSON.parse(line))
      .filter((line) => line.requestId === 'find-me' && line.msg === 'answered');
    expect(lines).toEqual([
      expect.objectContaining({
        operation: 'listBranches',
        method: 'GET',
        route: expect.stringContaining('/branches/v1'),
        status: 200,
        milliseconds: expect.any(Number),
      }),
    ]);
  });

  it('holds no secret, key, e-mail, body, header or query, at its finest level, on good paths and bad', async () => {
    const canary = 'canary-7f3a';
    const json = {
      name: canary,
      branchStatus: canary,
      collaboratorEmail: `${canary}@example.com`,
      userEmail: `${canary}@example.com`,
      email: `${canary}@example.com`,
      password: `${canary} ${canary}`,
      role: 'viewer',
    };
    const paths = [
      '/branches/v1',
      '/branches/x/status/v1',
      '/branches/x/collaborators/v1',
      '/branches/x/publications/v1',
      '/inspector/events/v1',
      '/sessions/v1',
      '/sessions/current/v1',
      '/users/v1',
      `/users/${canary}/v1`,
      '/audit/v1',
    ];
    const signedIn = await server.signIn('admin');
    const link = { token: `${canary}-token`, password: json.password };
    for (const path of ['/sign-in-links/check/v1', '/sessions/v1']) {
      await new Browser(server).call('POST', `${server.workspacePath}${path}`, link);
    }
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        await server.call({
          method,
          path: `${server.workspacePath}${path}?eventName=${canary}`,
          json,
          headers: { cookie: `${canary}; ${signedIn.cookie}`, 'x-note': canary },
        });
        await server.call({
          method,
          path: `${server.workspacePath}${path}`,
          as: null,
          json,
          headers: { cookie: (await server.signIn('admin')).cookie, 'sec-fetch-site': 'same-origin' },
        });
        await server.call({
          method,
          path: `${server.workspacePath}${path}`,
          as: { accountId: '', name: canary, secret: canary },
        });
      }
    }
    const ingest = { method: 'POST', path: '/inspector/batches/v1', as: null };
    await server.call({ ...ingest, json: { batchId: canary }, headers: { 'api-key': server.apiKey } });
    await server.call({
      ...ingest,
      body: `{"${canary}`,
      headers: { 'api-key': `blk_${canary}`, 'content-type': 'application/json' },
    });
    await server.administration.storage.db.schema.dropTable('branches').execute();
    await server.call({ method: 'POST', path: `${server.workspacePath}/branches/v1`, json });

    const written = log.join('');
    // Of a table that is missing PostgreSQL says what it says while a backup is restored.
    expect(written).toMatch(/request failed|the database can not be used/);
    const encoded = Buffer.from(`${server.account.name}:${server.account.secret}`).toString('base64');
    for (const secret of [
      canary,
      signedIn.cookie.split('.').at(-1) ?? '',
      signedIn.email,
      server.account.secret,
      server.account.name,
      encoded,
      server.apiKey,
      'ci@example.com',
    ]) {
      expect(written).not.toContain(secret);
    }
  });
});

describe('what is not even a request', () => {
  it.each([
    ['rubbish', 'HELO there\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
    ['far too many headers', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, 431],
  ])('is answered with the same kind of error: %s', async (_what, sent, status) => {
    const { hostname, port } = new URL(server.origin);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(sent));
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('error', () => resolve(text));
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({ error: expect.stringMatching(/\.$/) });
  });
});

it('reports whose clients have gone leave neither work nor complaints behind', async () => {
  const path = `${server.workspacePath}/inspector/conflicts/v1?appVersion=1`;
  const { hostname, port } = new URL(server.origin);
  const line = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${basic(server.account)}\r\n\r\n`;
  const sockets = Array.from({ length: 200 }, () => connect(Number(port), hostname));
  // Of a client that leaves with its first request, that is not begun at all; nor are most of the others that have left by their turn.
  for (const socket of sockets) socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n');
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  for (const socket of sockets) socket.write(line);
  for (const socket of sockets) socket.destroy();
  const begun = () => log.filter((one) => one.includes('listTypeConflicts')).length;
  await expect.poll(begun).toBeGreaterThan(0);
  const before = begun();
  expect((await server.call({ method: 'GET', path })).status).toBe(200);
  await expect.poll(begun).toBeGreaterThan(before);
  expect(log.filter((one) => JSON.parse(one).level >= 50)).toEqual([]);
});

it('who asks whether to send a body is told to only once nothing else can have it refused', async () => {
  const ask = async (head: string[], length = 14): Promise<string> => {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    const lines = [
      `POST ${server.workspacePath}/branches/v1 HTTP/1.1`,
      'host: x',
      'content-type: application/json',
      ...head,
    ];
    socket.write(`${lines.join('\r\n')}\r\ncontent-length: ${length}\r\nexpect: 100-continue\r\n\r\n`);
    let answer = '';
    for await (const data of socket) {
      answer += String(data);
      if (answer.endsWith('100 Continue\r\n\r\n')) socket.write('{"name":"own"}');
      if (answer.endsWith('}')) break;
    }
    return answer;
  };
  expect(await ask([])).toMatch(/^HTTP\/1\.1 401 /);
  const known = `authorization: ${basic(server.account)}`;
  expect(await ask([known])).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  expect(await ask([known, 'content-encoding: br'])).toMatch(/^HTTP\/1\.1 415 /);
  expect(await ask([known], 100_000)).toMatch(/^HTTP\/1\.1 413 /);
});
