import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { CouldNotRun } from '../could-not-run.ts';
import { certificate, privateKey } from '../engine/http/testing/certificate.ts';
import { type Given, suiteOptions } from './options.ts';

const GIVEN: Given = { baseUrl: 'https://api.example', workspace: 'demo', account: ['ci:s3:cret'] };

const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, 'accounts');
  writeFileSync(path, text);
  return path;
}

describe('options', () => {
  it('split an account at the first colon, and pace a run by default', () => {
    expect(suiteOptions(GIVEN, undefined, {})).toMatchObject({
      accounts: [{ name: 'ci', secret: 's3:cret' }],
      rate: 1,
      timeoutMs: 10_000,
      profile: false,
    });
  });

  it('keep secrets off the command line: accounts come from a file', () => {
    const accountFile = file('# of the workspace demo\n\nci:one\nother:two:three\n');
    const { accounts } = suiteOptions({ ...GIVEN, account: [], accountFile }, undefined, {});
    expect(accounts).toEqual([
      { name: 'ci', secret: 'one' },
      { name: 'other', secret: 'two:three' },
    ]);
  });

  it('or from the environment', () => {
    const environment = {
      BRANCHLINE_ACCOUNT: 'ci:one',
      BRANCHLINE_SECOND_ACCOUNT: 'other:two',
      BRANCHLINE_SECOND_WORKSPACE_ACCOUNT: 'there:three',
      BRANCHLINE_API_KEY: 'key',
    };
    const { baseUrl = '', workspace = '' } = GIVEN;
    expect(suiteOptions({ baseUrl, workspace, secondWorkspace: 'other' }, undefined, environment)).toMatchObject({
      accounts: [{ secret: 'one' }, { secret: 'two' }],
      secondWorkspace: { workspace: 'other', account: { name: 'there', secret: 'three' } },
      apiKey: 'key',
    });
  });

  it('send headers with each request', () => {
    const { headers } = suiteOptions({ ...GIVEN, header: ['X-Gateway-Key: a:b', 'x-empty:'] }, undefined, {});
    expect(headers).toEqual([
      ['X-Gateway-Key', 'a:b'],
      ['x-empty', ''],
    ]);
  });

  it('take a run without a pace', () => {
    expect(suiteOptions({ ...GIVEN, rate: 'none' }, undefined, {}).rate).toBeUndefined();
  });

  it.each<[string, Given]>([
    ['--base-url is needed', { workspace: 'demo', account: ['ci:x'] }],
    ['--workspace is needed', { baseUrl: 'https://api.example', account: ['ci:x'] }],
    ['--account name:secret', { ...GIVEN, account: [] }],
    ['--base-url must be an http or https URL, not "api.example"', { ...GIVEN, baseUrl: 'api.example' }],
    ['--base-url must be an http or https URL', { ...GIVEN, baseUrl: 'ftp://api.example' }],
    ['give https://api.example.', { ...GIVEN, baseUrl: 'https://api.example/workspaces/demo' }],
    ['no credentials', { ...GIVEN, baseUrl: 'https://ci:x@api.example' }],
    ['must be name:secret', { ...GIVEN, account: ['ci'] }],
    ['must be name:secret', { ...GIVEN, account: [':secret'] }],
    ['must be name:secret', { ...GIVEN, account: ['ci:'] }],
    ['At most two accounts', { ...GIVEN, account: ['a:x', 'b:x', 'c:x'] }],
    ['--header must be "name: value"', { ...GIVEN, header: ['x-gateway'] }],
    ['the value of "x-a" can hold ASCII alone', { ...GIVEN, header: ['x-a: b\r\nx-c: d'] }],
    ['the value of "x-city" can hold ASCII alone', { ...GIVEN, header: ['x-city: Łódź'] }],
    ['the suite itself decides on "Authorization"', { ...GIVEN, header: ['Authorization: Basic eA=='] }],
    ['must be different', { ...GIVEN, account: ['a:x', 'a:y'] }],
    ["can't be read: ENOENT", { ...GIVEN, account: [], accountFile: '/no/such/file' }],
    ['--second-workspace-account is needed', { ...GIVEN, secondWorkspace: 'other' }],
    ['--second-workspace is needed', { ...GIVEN, secondWorkspaceAccount: 'a:x' }],
    ['must be another workspace', { ...GIVEN, secondWorkspace: 'demo', secondWorkspaceAccount: 'a:x' }],
    ['--rate must be a number above 0 or "none", not "fast"', { ...GIVEN, rate: 'fast' }],
    ['--rate must be a number above 0', { ...GIVEN, rate: '0' }],
    ['--timeout must be a number above 0', { ...GIVEN, timeout: '' }],
  ])('are refused with a sentence: %s', (sentence, given) => {
    expect(() => suiteOptions(given, undefined, {})).toThrow(CouldNotRun);
    expect(() => suiteOptions(given, undefined, {})).toThrow(sentence);
  });

  it('never say a secret in such a sentence', () => {
    const baseUrls = ['ci:hush@api.example', 'https://ci:hush@api.example', 'https://:hush@api.example'];
    for (const wrong of [{ account: [':hush'] }, ...baseUrls.map((baseUrl) => ({ baseUrl }))]) {
      const run = () => suiteOptions({ ...GIVEN, ...wrong }, undefined, {});
      expect(run).toThrow(CouldNotRun);
      expect(run).not.toThrow('hush');
    }
  });
});

describe('options of the connection', () => {
  const pem = (text: string): string => {
    const path = join(folder, `${text.length}.pem`);
    writeFileSync(path, text);
    return path;
  };
  const connect = (given: Given): unknown => suiteOptions({ ...GIVEN, ...given }, undefined, {}).connection;

  it('are HTTP/1.1 and the authorities of Node, unless others are given', () => {
    expect(connect({})).toEqual({ isHttp2: false, tls: { isInsecure: false } });
    expect(connect({ http2: true, insecure: true })).toEqual({ isHttp2: true, tls: { isInsecure: true } });
  });

  it('add an authority to those of Node, and read a certificate and its key from one file or two', () => {
    const { tls } = suiteOptions({ ...GIVEN, cacert: pem(certificate) }, undefined, {}).connection ?? {};
    expect(tls?.ca).toEqual([...getCACertificates(), certificate]);
    const identity = { isHttp2: false, tls: { isInsecure: false, cert: certificate, key: privateKey } };
    expect(connect({ cert: pem(certificate), key: pem(privateKey) })).toEqual(identity);
    const both = certificate + privateKey;
    expect(connect({ cert: pem(both) })).toMatchObject({ tls: { cert: both, key: both } });
  });

  it.each<[string, RegExp, () => Given]>([
    ['an authority that is no PEM', /--cacert: the file .* holds no certificate in PEM/, () => ({ cacert: pem('no') })],
    ['a file that is not there', /--cacert: the file \/none can't be read: ENOENT/, () => ({ cacert: '/none' })],
    ['a certificate without its key', /--cert: what it names can't be used/, () => ({ cert: pem(certificate) })],
    ['a key alone', /--key needs --cert/, () => ({ key: pem(privateKey) })],
    ['an odd seed', /--seed must be a whole number from 0 on, not "1.5"/, () => ({ seed: '1.5' })],
  ])('refuse %s', (_, sentence, given) => {
    expect(() => connect(given())).toThrow(CouldNotRun);
    expect(() => connect(given())).toThrow(sentence);
  });
});
