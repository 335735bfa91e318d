import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeUnless } from '../../../test/support/describe-unless.ts';
import type { Exchange } from '../result.ts';
import { buildCurl, quoteForShell } from './curl.ts';

const run = promisify(execFile);
const CURL = ['/usr/bin/curl', '/bin/curl', '/usr/local/bin/curl', '/opt/homebrew/bin/curl'];
const missing = CURL.some((path) => existsSync(path)) ? undefined : 'curl is not installed';
const ENVIRONMENT = {
  BRANCHLINE_ACCOUNT: `ci:s3:"cr'e$t ü`,
  BRANCHLINE_API_KEY: `k'e"y`,
  BRANCHLINE_CREDENTIAL_ACCOUNT: 't0k/en',
  CREDENTIALS: 'd3Jvbmc6d3Jvbmc=',
  PATH: process.env['PATH'] ?? '',
};

interface Came {
  method: string | undefined;
  url: string | undefined;
  headers: http.IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}

let server: http.Server;
let origin: string;
let came: Came;
beforeAll(async () => {
  server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = await Array.fromAsync(request);
    const { method, url, headers } = request;
    const bytes = Buffer.concat(chunks);
    came = { method, url, headers, body: bytes.toString('utf8'), bytes };
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => void server.close());

type Header = [string, string];

function exchange(
  path: string,
  headers: Header[],
  body?: string,
  method = body === undefined ? 'GET' : 'POST',
): Exchange {
  return { request: { method, url: `${origin}${path}`, headers, ...(body === undefined ? {} : { body }) } };
}

async function repeated(one: Exchange): Promise<Came> {
  await run('sh', ['-c', buildCurl(one)?.command ?? ''], { env: ENVIRONMENT });
  return came;
}

describeUnless(missing, 'the command for a request', () => {
  it('sends it again, with the account that the environment holds', async () => {
    const headers: Header[] = [
      ['authorization', 'Basic <BRANCHLINE_ACCOUNT>'],
      ['content-type', 'application/json'],
      ['api-key', '<BRANCHLINE_API_KEY>'],
    ];
    expect(await repeated(exchange('/w/branches/v1?a[]={b}', headers, '{"name":"x"}'))).toMatchObject({
      method: 'POST',
      url: '/w/branches/v1?a[]={b}',
      headers: {
        authorization: `Basic ${Buffer.from(ENVIRONMENT.BRANCHLINE_ACCOUNT).toString('base64')}`,
        'content-type': 'application/json',
        'api-key': ENVIRONMENT.BRANCHLINE_API_KEY,
      },
      body: '{"name":"x"}',
    });
  });

  it.each(['Digest ', 'basic ', ''])('sends good credentials also under the scheme "%s"', async (scheme) => {
    const { headers } = await repeated(exchange('/', [['authorization', `${scheme}<BRANCHLINE_ACCOUNT>`]]));
    const credentials = Buffer.from(ENVIRONMENT.BRANCHLINE_ACCOUNT).toString('base64');
    expect(headers.authorization).toBe(`${scheme}${credentials}`);
  });

  it('says that wrong credentials are not in the report, and takes those that are given', async () => {
    const one = exchange('/', [['authorization', 'Basic <redacted>']]);
    expect(buildCurl(one)?.notes).toEqual([expect.stringContaining('set CREDENTIALS')]);
    expect((await repeated(one)).headers.authorization).toBe(`Basic ${ENVIRONMENT.CREDENTIALS}`);
  });

  it('sends credentials in a query and in cookies, and says which variables hold them', async () => {
    const one = exchange('/?page=1&key=<BRANCHLINE_API_KEY>&to=2', [['cookie', 'a=b; key=<BRANCHLINE_API_KEY>']]);
    const notes = ['Set BRANCHLINE_API_KEY first, to the credentials that the run was given.'];
    expect(buildCurl(one)).toMatchObject({ isOther: false, notes });
    expect(await repeated(one)).toMatchObject({
      url: `/?page=1&key=${ENVIRONMENT.BRANCHLINE_API_KEY}&to=2`,
      headers: { cookie: `a=b; key=${ENVIRONMENT.BRANCHLINE_API_KEY}` },
    });
  });

  it('sends a credential of any scheme as it is, whatever the scheme is called', async () => {
    const one = exchange('/', [['authorization', 'Bearer <BRANCHLINE_CREDENTIAL_ACCOUNT>']]);
    expect((await repeated(one)).headers.authorization).toBe(`Bearer ${ENVIRONMENT.BRANCHLINE_CREDENTIAL_ACCOUNT}`);
  });

  it('sends no header that was not sent, and one without a value', async () => {
    const { headers } = await repeated(exchange('/', [['authorization', '']], '{}'));
    expect(headers).not.toHaveProperty('content-type');
    expect(headers.authorization).toBe('');
  });

  it('sends a body that begins with @, and one with line breaks, as it is', async () => {
    expect((await repeated(exchange('/', [], '@/etc/passwd\n\n'))).body).toBe('@/etc/passwd\n\n');
  });

  it('sends any text as it is', async () => {
    const printable = fc.stringMatching(/^[ -~]{0,40}$/);
    const text = fc
      .string({ unit: 'grapheme' })
      .filter((one) => !/[\p{Cc}\uFFFD\u202A-\u202E\u2066-\u2069]/u.test(one));
    await fc.assert(
      fc.asyncProperty(text, printable, async (body, value) => {
        fc.pre(!value.startsWith('<'));
        const { headers, body: sent } = await repeated(exchange('/', [['x-odd', value]], body));
        expect([sent, headers['x-odd']]).toEqual([body, value.trim()]);
      }),
      { numRuns: 40, examples: [['', ' ']] },
    );
  });

  it('sends bytes that are no text as they are', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0x0a, 0x80, 0x22]);
    const one = exchange('/', [['content-type', 'application/json']], bytes.toString('utf8'));
    const { request } = one;
    const again = await repeated({ request: { ...request, base64: bytes.toString('base64') } });
    expect(again).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' }, bytes });
  });

  it.each(['a\0b', '\u202Ea', 'a\uFFFDb'])('sends a text that can not be shown as it is: %j', async (text) => {
    expect((await repeated(exchange('/', [], text))).body).toBe(text);
  });

  it('any word is one word', async () => {
    const word = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0'));
    await fc.assert(
      fc.asyncProperty(word, async (text) => {
        const { stdout } = await run('sh', ['-c', `printf %s ${quoteForShell(text)}`]);
        expect(stdout).toBe(text);
      }),
      { numRuns: 40 },
    );
  });
});

it.each<[string, Exchange]>([
  ['to no absolute URL', { request: { method: 'POST', url: '/inspector/batches/v1', headers: [] } }],
  [
    'with a body that was cut',
    { request: { method: 'POST', url: 'http://x/', headers: [], body: 'a', truncated: true } },
  ],
  [
    'with a header that can not be shown',
    { request: { method: 'GET', url: 'http://x/', headers: [['x', 'a\u202E']] } },
  ],
])('there is no command for a request %s', (_, one) => {
  expect(buildCurl(one)).toBeUndefined();
});
