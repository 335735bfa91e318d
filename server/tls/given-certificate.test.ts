import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Certificate } from './certificate.ts';
import { GivenCertificate, readCertificate } from './given-certificate.ts';
import { OwnCertificate } from './own-certificate.ts';

let pems: [Certificate, Certificate];
let folder: string;
let files: { cert: string; key: string };
let now: number;
let log: string[];

const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(line) });

beforeAll(async () => {
  pems = [await newPem(), await newPem()];
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-certificate-'));
  files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  now = 0;
  log = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function newPem(): Promise<Certificate> {
  return new OwnCertificate({ host: 'branchline.example.com', file: undefined, clock: Date.now, logger }).current();
}

function write({ cert, key }: Certificate): void {
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
}

async function open(): Promise<GivenCertificate> {
  return new GivenCertificate({ files, first: await readCertificate(files), clock: () => now, logger });
}

it('is read again within a minute of a change', async () => {
  write(pems[0]);
  const source = await open();
  write(pems[1]);
  now = 59_999;
  expect(await source.current()).toEqual(pems[0]);
  now = 60_000;
  expect(await source.current()).toEqual(pems[1]);
  expect(log).toHaveLength(1);
});

it('stays the same object as long as the files are the same', async () => {
  write(pems[0]);
  const source = await open();
  const first = await source.current();
  now = 60_000;
  expect(await source.current()).toBe(first);
  expect(log).toEqual([]);
});

it('stays in use while the files can not be, which is logged once, without the key', async () => {
  write(pems[0]);
  const source = await open();
  writeFileSync(files.cert, pems[1].cert);
  for (now = 60_000; now <= 180_000; now += 60_000) expect(await source.current()).toEqual(pems[0]);
  expect(log).toHaveLength(1);
  expect(log[0]).toMatch(/does not belong to the first certificate/);
  expect(log[0]).not.toMatch(/BEGIN|stack/);
  writeFileSync(files.key, pems[1].key);
  expect(await source.current()).toEqual(pems[1]);
});

it('is refused where the file is none, which would hold up the server and its end', async () => {
  write(pems[0]);
  rmSync(files.cert);
  execFileSync('mkfifo', [files.cert]);
  await expect(readCertificate(files)).rejects.toThrow('is a named pipe, not a regular file');
});

it.each([
  ['EC keys of a curve that no client takes', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1']],
  ['EC keys of a curve that OpenSSL offers alone', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:brainpoolP256r1']],
  ['RSA keys that are too short', ['-newkey', 'rsa:1024']],
])('stays in use where the new one is of %s', async (_what, keys) => {
  write(pems[0]);
  const source = await open();
  issue(keys);
  now = 60_000;
  expect(await source.current()).toEqual(pems[0]);
  expect(log).toHaveLength(1);
  expect(log[0]).toMatch(/can't serve TLS/);
});

it.each([
  ['RSA', ['-newkey', 'rsa:2048']],
  ['RSA-PSS', ['-newkey', 'rsa-pss', '-pkeyopt', 'rsa_keygen_bits:2048']],
  ['EC of P-521', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-521']],
  ['Ed25519', ['-newkey', 'ed25519']],
])('may have keys of %s', async (_what, keys) => {
  issue(keys);
  await expect(readCertificate(files)).resolves.toMatchObject({ key: expect.any(String) });
});

function issue(keys: string[]): void {
  const out = ['-subj', '/CN=branchline.example.com', '-keyout', files.key, '-out', files.cert];
  execFileSync('openssl', ['req', '-x509', '-nodes', ...keys, ...out], { stdio: 'pipe' });
}
