import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OwnCertificate } from './own-certificate.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const NOW = Date.UTC(2026, 0, 2);

let folder: string;
let file: string;
let now: number;
let log: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-certificate-'));
  file = join(folder, 'branchline.db.tls.pem');
  now = NOW;
  log = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function newSource({ host = '127.0.0.1', kept = file }: { host?: string; kept?: string | null } = {}): OwnCertificate {
  const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(line) });
  return new OwnCertificate({ host, file: kept ?? undefined, clock: () => now, logger });
}

async function shown(source: OwnCertificate): Promise<X509Certificate> {
  return new X509Certificate((await source.current()).cert);
}

it('is made when it is first asked for, with ECDSA P-256, SHA-256, for 397 days, for this machine and for a server', async () => {
  const certificate = await shown(newSource());
  expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' });
  expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.signatureAlgorithm).toBe('ecdsa-with-SHA256');
  expect(certificate.ca).toBe(false);
  expect(certificate.validToDate.getTime() - certificate.validFromDate.getTime()).toBe(397 * DAY_MS);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
});

it.each([
  [
    'branchline.example.com',
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:branchline.example.com',
  ],
  ['192.0.2.7', 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:192.0.2.7'],
  ['fe80::7%eth0', 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:FE80:0:0:0:0:0:0:7'],
  ['0.0.0.0', 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1'],
  ['::', 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1'],
])('of a server that listens on %s is for %s', async (host, names) => {
  expect((await shown(newSource({ host, kept: null }))).subjectAltName).toBe(names);
});

it('is made once, however many ask at a time', async () => {
  const source = newSource();
  const [first, second] = await Promise.all([source.current(), source.current()]);
  expect(second).toBe(first);
});

it('is kept in a file that only its owner can read, and used again after a restart', async () => {
  const first = await newSource().current();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await newSource().current()).toEqual(first);
});

it('is not kept where there is no file for it', async () => {
  const first = await newSource({ kept: null }).current();
  expect(await newSource({ kept: null }).current()).not.toEqual(first);
});

it('is replaced when less than 30 days of it are left: at a start, and while the server runs', async () => {
  const running = newSource();
  const first = await shown(running);
  now = first.validToDate.getTime() - 31 * DAY_MS;
  expect((await shown(running)).serialNumber).toBe(first.serialNumber);
  expect((await shown(newSource())).serialNumber).toBe(first.serialNumber);
  now += DAY_MS + 1;
  const second = await shown(running);
  expect(second.serialNumber).not.toBe(first.serialNumber);
  expect((await shown(newSource())).serialNumber).toBe(second.serialNumber);
});

it('is replaced while the server runs when it is not valid yet, once a clock that was ahead is right again', async () => {
  now = NOW + 400 * DAY_MS;
  const running = newSource();
  const ahead = await shown(running);
  now = NOW;
  const right = await shown(running);
  expect(right.serialNumber).not.toBe(ahead.serialNumber);
  expect(right.validFromDate.getTime()).toBe(NOW - DAY_MS);
  expect((await shown(newSource())).serialNumber).toBe(right.serialNumber);
});

it.each([Date.UTC(9999, 11, 30), Date.UTC(10_005, 1, 1)])(
  'ends at the latest with the last year that it can name, when made at %s',
  async (late) => {
    now = late;
    const certificate = await shown(newSource());
    expect(certificate.validToDate.toISOString()).toBe('9999-12-31T23:59:59.000Z');
    now = NOW;
    expect((await shown(newSource())).validFromDate.getTime()).toBe(NOW - DAY_MS);
  },
);

it.each([
  ['is damaged', () => writeFileSync(file, readFileSync(file, 'utf8').replace('BEGIN CERTIFICATE', 'BEGIN'))],
  ['has lost its key', () => writeFileSync(file, readFileSync(file, 'utf8').replace(/-----BEGIN PRIVATE KEY[^]*/, ''))],
  ['is of the future', () => (now -= 10 * DAY_MS)],
])('is replaced when the kept one %s', async (_what, spoil) => {
  const first = await newSource().current();
  spoil();
  const second = await newSource().current();
  expect(second).not.toEqual(first);
  expect(readFileSync(file, 'utf8')).toBe(second.cert);
});

it('is replaced when the server listens on another host', async () => {
  await newSource().current();
  expect((await shown(newSource({ host: '192.0.2.7' }))).checkIP('192.0.2.7')).toBeDefined();
});

it('serves from memory where it can not be kept, and the log says so', async () => {
  const source = newSource({ kept: join(folder, 'missing', 'branchline.db.tls.pem') });
  expect((await source.current()).cert).toContain('BEGIN CERTIFICATE');
  expect(log.join('')).toContain('can not be kept');
});

it('is made anew where the file is none', async () => {
  execFileSync('mkfifo', [file]);
  const certificate = await shown(newSource());
  expect(readFileSync(file, 'utf8')).toContain('-----BEGIN CERTIFICATE-----');
  expect((await shown(newSource())).serialNumber).toBe(certificate.serialNumber);
});
