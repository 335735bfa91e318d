import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { branchline } from '../../test/support/command-line.ts';
import { correct } from '../selftest/service/behaviour.ts';
import { type Service, type ServiceOptions, listen } from '../selftest/service/listen.ts';
import { account, newWorld } from '../selftest/service/world.ts';
import { trySuite } from '../selftest/try-suite.ts';
import type { Report } from '../engine/result.ts';
import { runSuite } from './run.ts';
import { certificate, privateKey } from '../engine/http/testing/certificate.ts';
import { type GateOptions, openGate } from '../engine/http/testing/gate.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function started(options: ServiceOptions = {}): Promise<Service> {
  const service = await listen(options);
  open.push(service.close);
  return service;
}

async function gateTo(service: Service, options: GateOptions): Promise<string> {
  const gate = await openGate(service.origin, options);
  open.push(gate.close);
  return gate.baseUrl;
}

function leastOptions({ accounts: [first] }: Service, baseUrl: string) {
  const { workspaceId = '', name = '', secret = '' } = first ?? {};
  return { baseUrl, workspace: workspaceId, accounts: [{ name, secret }] as const };
}

const failures = ({ results }: Report) =>
  results.filter(({ level, state }) => level === 'required' && ['fail', 'error'].includes(state));

describe('a lawful service conforms', () => {
  it('with ids, names and secrets that must be encoded', async () => {
    const accounts = [
      account('Équipe / 1: 100%?#', 'release böt', ' p:ä:ß %20"\'\\ '),
      account('Équipe / 1: 100%?#', 'x', '::'),
      account('../other', 'release böt 2', 'パスワード'),
    ];
    const report = await trySuite(await started({ world: newWorld(accounts) }));
    expect(failures(report)).toEqual([]);
    expect(JSON.stringify(report)).not.toMatch(/パスワード|p:ä:ß/);
  });

  it('behind a proxy, below a path', async () => {
    const service = await started();
    const baseUrl = await gateTo(service, { prefix: '/api/plans' });
    const report = await runSuite(leastOptions(service, `${baseUrl}/`));
    expect(failures(report)).toEqual([]);
    expect(report.conforms).toBe(true);
  });

  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
  it.skipIf(!hasIpv6)(`at an IPv6 address${hasIpv6 ? '' : ' (skipped: this machine has none)'}`, async () => {
    const service = await started();
    const report = await runSuite(leastOptions(service, await gateTo(service, { host: '::1' })));
    expect(report.conforms).toBe(true);
  });

  it('while another run is under way', async () => {
    const service = await started();
    const reports = await Promise.all([trySuite(service), trySuite(service), trySuite(service)]);
    expect(reports.flatMap(failures)).toEqual([]);
  });
});

describe('a certificate that nobody has signed', () => {
  it('ends a run before it begins, and says what to do', async () => {
    const service = await started();
    const run = runSuite(leastOptions(service, await gateTo(service, { tls: true })));
    await expect(run).rejects.toThrow(/not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\).*--cacert/);
  });

  it.each([
    ['--cacert', (path: string) => ({ options: ['--cacert', path], environment: {} })],
    ['NODE_EXTRA_CA_CERTS', (path: string) => ({ options: [], environment: { NODE_EXTRA_CA_CERTS: path } })],
    ['--insecure', () => ({ options: ['--insecure'], environment: {} })],
  ])('is trusted by %s', async (_, trust) => {
    const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
    open.push(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'authority.pem');
    writeFileSync(path, certificate);
    const service = await started();
    const { baseUrl, workspace, accounts } = leastOptions(service, await gateTo(service, { tls: true }));
    const { options, environment } = trust(path);
    const ended = await branchline(
      [
        'conformance',
        '--base-url',
        baseUrl,
        '--workspace',
        workspace,
        '--rate',
        'none',
        '--only',
        'creation/url',
        ...options,
      ],
      { BRANCHLINE_ACCOUNT: `${accounts[0].name}:${accounts[0].secret}`, ...environment },
    );
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(' conforms') });
  });
});

describe('a service that speaks HTTP/2 only', () => {
  it.each([
    ['in cleartext', false],
    ['with TLS', true],
  ])('is tried %s over HTTP/2 where that is asked for', async (_, tls) => {
    const service = await started();
    const options = leastOptions(service, await gateTo(service, { tls, isHttp2: true }));
    const report = await runSuite({ ...options, connection: { isHttp2: true, tls: { isInsecure: true } } });
    expect(failures(report)).toEqual([]);
    expect(report.conforms).toBe(true);
    const exchanges = report.results.flatMap((result) => result.exchanges);
    expect(new Set(exchanges.map(({ response }) => response?.httpVersion))).toEqual(new Set(['2.0']));
    const kept = report.results.filter(({ id }) => id.endsWith('/on-a-kept-connection'));
    expect(kept.map(({ state }) => state)).toEqual(['pass', 'pass', 'pass']);
  });

  it.each([
    ['in cleartext', 'http', () => http2.createServer(() => {})],
    ['with TLS', 'https', () => http2.createSecureServer({ cert: certificate, key: privateKey }, () => {})],
  ] as const)('ends a run %s before it begins, and says why', async (_, scheme, create) => {
    const server = create();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    open.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.address() as AddressInfo;
    const account = { name: 'a', secret: 'b' };
    const run = runSuite({ baseUrl: `${scheme}://127.0.0.1:${port}`, workspace: 'demo', accounts: [account] });
    await expect(run).rejects.toThrow(/speaks HTTP\/2 only: --http2/);
  });
});

it.each([
  ['in cleartext', false],
  ['with TLS', true],
])('a service without HTTP/2 ends a run over it %s before it begins', async (_, tls) => {
  const service = await started();
  const options = leastOptions(service, await gateTo(service, { tls }));
  const run = runSuite({ ...options, connection: { isHttp2: true, tls: { isInsecure: true } } });
  await expect(run).rejects.toThrow(/does not speak HTTP\/2/);
});

it('a service without TLS ends a run to https before it begins', async () => {
  const service = await started();
  const run = runSuite(leastOptions(service, service.origin.replace('http:', 'https:')));
  await expect(run).rejects.toThrow(/does not speak TLS as it should \(\w+\)\. Is --base-url right/);
});

it('no redirection to another origin is followed: none gets to see credentials', async () => {
  const seen: (string | undefined)[] = [];
  const elsewhere = http.createServer((request, response) => {
    seen.push(request.url);
    response.end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  open.push(() => elsewhere.close());
  const { port } = elsewhere.address() as AddressInfo;
  const service = await started({
    change: {
      deliver: (reply, response, call) =>
        correct.deliver({ ...reply, status: 307, headers: { location: `http://127.0.0.1:${port}/` } }, response, call),
    },
  });
  const report = await trySuite(service);
  expect(report.conforms).toBe(false);
  expect(failures(report)[0]?.problems?.join(' ')).toContain('redirections to other origins are not followed');
  expect(seen).toEqual([]);
});
