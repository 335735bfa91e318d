// @module-tag both-engines
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headerLines, rawRequest } from '../support/raw-request.ts';
import { basic, startTestServer, type TestServer } from '../support/server.ts';

/** The rows of docs/decisions.md, "Requests and errors", on how requests are told apart, under their names. */

let server: TestServer;
let branchesPath: string;

beforeAll(async () => {
  server = await startTestServer();
  branchesPath = `${server.workspacePath}/branches/v1`;
});
afterAll(() => server.close());

const CHUNKED = ['transfer-encoding', 'chunked'];

describe('Framing', () => {
  it.each([
    ['identity before chunked', ['transfer-encoding', 'identity, chunked'], 501],
    ['identity before chunked, in a header of its own', ['transfer-encoding', 'identity', ...CHUNKED], 501],
    ['a coding that the server does not know', ['transfer-encoding', 'gzip, chunked'], 501],
    ['identity alone', ['transfer-encoding', 'identity'], 400],
    ['identity after chunked', ['transfer-encoding', 'chunked, identity'], 400],
    ['chunked twice', ['transfer-encoding', 'chunked, chunked'], 400],
    ['chunked twice, in two headers', [...CHUNKED, ...CHUNKED], 400],
    ['chunked with a parameter', ['transfer-encoding', 'chunked;q=1'], 400],
    ['nothing', ['transfer-encoding', ''], 400],
    ['a length too', [...CHUNKED, 'content-length', '5'], 400],
    ['a length before', ['content-length', '5', ...CHUNKED], 400],
  ])('a transfer encoding other than chunked, once, ends the connection: %s', async (_what, headers, status) => {
    await expectRefusal(`POST /livez HTTP/1.1\r\nhost: x\r\n${headerLines(headers)}\r\n0\r\n\r\n`, status);
  });

  it.each([
    ['two lengths', ['content-length', '1', 'content-length', '2']],
    ['one length twice', ['content-length', '1', 'content-length', '1']],
    ['a list of lengths', ['content-length', '1, 1']],
    ['a length with a sign', ['content-length', '+1']],
    ['a header that is folded', ['transfer-encoding', '\r\n chunked']],
  ])('%s is 400', async (_what, headers) => {
    await expectRefusal(`POST /livez HTTP/1.1\r\nhost: x\r\n${headerLines(headers)}\r\na`, 400);
  });

  it.each([
    ['GET', '', 'HTTP/1.1 200'],
    ['POST', 'content-length: 2\r\n', 'HTTP/1.1 405'],
  ])(
    'an offer of another protocol with %s is answered as if there were none, and ends the connection',
    async (method, length, status) => {
      const upgrade = headerLines([
        'host',
        'x',
        'connection',
        'Upgrade, HTTP2-Settings',
        'upgrade',
        'h2c',
        'http2-settings',
        'AA',
      ]);
      const body = length === '' ? '' : '{}';
      const first = `${method} /livez HTTP/1.1\r\n${upgrade}${length}\r\n${body}`;
      const answers = await rawRequest(server.origin, `${first}GET /livez HTTP/1.1\r\nhost: x\r\n\r\n`);
      expect(answers).toMatch(new RegExp(`^${status}`));
      expect(answers).toMatch(/^connection: close\r$/im);
      expect(answers.match(/^HTTP/gm)).toHaveLength(1);
    },
  );

  it('a body that can not be read has a request that needs none refused, or done and answered so, never both', async () => {
    const { cookie } = await server.signIn('admin');
    const { keys } = server.administration;
    const { hostname, port } = new URL(server.origin);
    const outcomes = new Set<string>();
    for (let tries = 0; tries < 16; tries += 1) {
      const { key } = await keys.create({ workspaceId: 'shop', source: `source-${tries}`, samplingRate: 1 });
      const socket = connectPlain({ host: hostname, port: Number(port) }).on('error', () => {});
      let answer = '';
      socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
      const headers = headerLines(['host', 'x', 'cookie', cookie, 'sec-fetch-site', 'same-origin', ...CHUNKED]);
      const head = `DELETE ${server.workspacePath}/api-keys/${key.keyId}/v1 HTTP/1.1\r\n${headers}\r\n`;
      if (tries % 2 === 0) socket.write(`${head}ZZ\r\n`);
      else {
        socket.write(`${head}2\r\nab\r\n`);
        for (let turn = 0; turn < tries; turn += 1) await nextTurn();
        socket.write('ZZ\r\n');
      }
      await once(socket, 'close');
      const [, status = 'none'] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
      outcomes.add(`${status}, ${(await keys.exists('shop', key.keyId)) ? 'kept' : 'deleted'}`);
    }
    for (const outcome of outcomes) expect(['400, kept', '204, deleted']).toContain(outcome);
  });

  it.each([
    [200, 200],
    [201, 431],
    [230, 431],
    [900, 431],
  ])('a request of %i header lines is answered with %i', async (lines, status) => {
    const more = 'a: b\r\n'.repeat(lines - 2);
    const answer = await rawRequest(
      server.origin,
      `GET /livez HTTP/1.1\r\nhost: x\r\n${more}connection: close\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('a request of HTTP/1.0 has no transfer encoding', async () => {
    await expectRefusal(`POST /livez HTTP/1.0\r\n${headerLines(CHUNKED)}\r\n0\r\n\r\n`, 400);
  });

  it('chunked may be written in any case, and have extensions and trailers', async () => {
    const chunks = 'a;x=y\r\n{"name":"c\r\n6\r\nased"}\r\n0\r\nx: y\r\n\r\n';
    const headers = [
      'host',
      'x',
      'content-type',
      'application/json',
      'transfer-encoding',
      'CHunkeD',
      'connection',
      'close',
    ];
    const answer = await rawRequest(
      server.origin,
      `POST ${branchesPath} HTTP/1.1\r\nauthorization: ${basic(server.account)}\r\n${headerLines(headers)}\r\n${chunks}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 201 [^]*"branchName":"cased"/);
  });
});

describe('Unreadable bodies', () => {
  const begun = (): string =>
    `POST ${branchesPath} HTTP/1.1\r\nauthorization: ${basic(server.account)}\r\n` +
    `${headerLines(['host', 'x', 'content-type', 'application/json', ...CHUNKED])}\r\n`;
  const name = 'd\r\n{"name":"b1"}\r\n';

  it.each([
    ['trailers that are too large', `${name}0\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['what is no chunk', 'no chunk\r\n', 400],
  ])('%s are answered, and nothing is done', async (_what, rest, status) => {
    const answer = await rawRequest(server.origin, `${begun()}${rest}`);
    expect(answer.match(/^HTTP\/1.1 \d+/gm)).toEqual([`HTTP/1.1 ${status}`]);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({ error: expect.stringMatching(/\.$/) });
    expect((await server.call({ method: 'POST', path: branchesPath, json: { name: 'b1' } })).status).toBe(
      status === 431 ? 201 : 409,
    );
  });

  it('behind a request of its own leaves that its answer', async () => {
    const first = `GET ${branchesPath} HTTP/1.1\r\nhost: x\r\nauthorization: ${basic(server.account)}\r\n\r\n`;
    const answer = await rawRequest(server.origin, `${first}no request\r\n\r\n`);
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('behind a request of its own with a body leave that its answer, too', async () => {
    const first = `GET ${branchesPath} HTTP/1.1\r\nhost: x\r\nauthorization: ${basic(server.account)}\r\n\r\n`;
    const answer = await rawRequest(server.origin, `${first}${begun()}no chunk\r\n`);
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});

describe('Small pieces', () => {
  const SIZE = 3_000;
  const head = (framing: string[]) =>
    `POST ${branchesPath} HTTP/1.1\r\nauthorization: ${basic(server.account)}\r\n` +
    `${headerLines(['host', 'x', 'content-type', 'application/json', ...framing])}\r\n`;

  it('a body in chunks of a byte is 400, and its connection is closed', async () => {
    const answer = await rawRequest(server.origin, head(CHUNKED) + '1\r\n \r\n'.repeat(SIZE));
    expectSmallPieces(answer, /^The body of the request arrived in too many small pieces\. /);
  });

  it('so is one in TLS records of a byte, or its connection is reset', async () => {
    const socket = connect({ port: Number(new URL(server.origin).port), host: '127.0.0.1', rejectUnauthorized: false });
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString())).on('error', () => {});
    await once(socket, 'secureConnect');
    socket.write(head(['content-length', '60000']));
    const end = new Promise((resolve) => socket.once('close', resolve));
    // What is written together would be one record.
    for (let sent = 0; sent < SIZE && !socket.destroyed; sent += 1) {
      await new Promise((resolve) => socket.write(' ', resolve));
    }
    await end;
    // Both are counted. A client that goes on sending may be reset before it has read why.
    if (answer !== '') expectSmallPieces(answer, /^The .*request arrived in too many small (pieces|TLS records)\. /);
  });

  it('without credentials it is 401, and its connection is closed without another answer', async () => {
    const headers = headerLines(['host', 'x', 'content-type', 'application/json', ...CHUNKED]);
    const socket = connectPlain(Number(new URL(server.origin).port), '127.0.0.1').on('error', () => {});
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    socket.write(`POST ${branchesPath} HTTP/1.1\r\n${headers}\r\n`);
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 401 /);
    const end = new Promise((resolve) => socket.once('close', resolve));
    socket.write('1\r\n \r\n'.repeat(SIZE));
    await end;
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  });

  function expectSmallPieces(answer: string, error: RegExp): void {
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({ error: expect.stringMatching(error) });
  }
});

/** An error of ours that closes the connection, so that nothing behind it can be taken for another request. */
async function expectRefusal(sent: string, status: number): Promise<void> {
  const answer = await rawRequest(server.origin, `${sent}GET /livez HTTP/1.1\r\nhost: x\r\n\r\n`);
  expect(answer.match(/^HTTP\/1.1 \d+/gm)).toEqual([`HTTP/1.1 ${status}`]);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({ error: expect.stringMatching(/\.$/) });
}

describe('Host and version', () => {
  const ask = (host: string, version = '1.1') =>
    rawRequest(server.origin, `GET /livez HTTP/${version}\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);

  it.each(['', 'a', 'A-b.example:', 'a_b:80', '[::1]:3000', '[::ffff:127.0.0.1]', '%61', '127.0.0.1:1'])(
    'the host %j is one',
    async (host) => expect(await ask(host)).toMatch(/^HTTP\/1.1 200 /),
  );

  it.each(['a b', 'a/b', 'a@b', 'a%zz', 'a:b', 'ä', '[a', 'a,b:1:2'])('the host %j is none', async (host) => {
    expect(await ask(host)).toMatch(/^HTTP\/1.1 400 [^]*\{"error":"The header \\"host\\" must be .+"\}$/);
  });

  it.each([
    ['2.0', 505],
    ['0.9', 505],
    ['3.0', 400],
    ['1.2', 400],
  ])('HTTP/%s is %d', async (version, status) => {
    expect(await ask('x', version)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\\{"error":".+"\\}$`));
  });
});
