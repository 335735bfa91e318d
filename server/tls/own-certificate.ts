import { createPrivateKey, X509Certificate } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { readSmallFile } from '@branchline/command-line';
import type { Clock } from '../clock.ts';
import { type Certificate, type CertificateSource, MAX_PEM_BYTES } from './certificate.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Browsers reject certificates that are valid for longer than 398 days. */
const VALID_MS = 397 * DAY_MS;

/** A certificate that expires sooner is replaced. */
const LEAST_LEFT_MS = 30 * DAY_MS;

/** For clients whose clock is behind. */
const VALID_BEFORE_MS = DAY_MS;

/** The last second that a certificate can name: its years have four digits (RFC 5280, 4.1.2.5). */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59);

export interface OwnCertificateOptions {
  /** The host that the server listens on, in addition to this machine's names. */
  host: string;
  /** The file that stores it, so that a browser's exception for it survives a restart; undefined: memory only. */
  file: string | undefined;
  clock: Clock;
  logger: FastifyBaseLogger;
}

/**
 * A self-signed certificate, created when the first client uses TLS, and again when it is about to
 * expire. Browsers warn about it once.
 */
export class OwnCertificate implements CertificateSource {
  readonly isGiven = false;
  readonly #options: OwnCertificateOptions;
  readonly #names: readonly string[];
  #current: Promise<Certificate> | undefined;
  /** The one to serve; undefined until it is made. */
  #served: X509Certificate | undefined;

  constructor(options: OwnCertificateOptions) {
    this.#options = options;
    this.#names = namesFor(options.host);
  }

  current(): Promise<Certificate> {
    if (this.#served !== undefined && !isTimely(this.#served, this.#options.clock())) this.#current = undefined;
    this.#current ??= this.#keptOrNew().catch((error: unknown) => {
      this.#current = undefined;
      throw error;
    });
    return this.#current;
  }

  async #keptOrNew(): Promise<Certificate> {
    this.#served = undefined;
    const pem = (await this.#kept()) ?? (await this.#makeAndKeep());
    this.#served = new X509Certificate(pem);
    return { cert: pem, key: pem };
  }

  async #kept(): Promise<string | undefined> {
    const { file, clock } = this.#options;
    if (file === undefined) return undefined;
    try {
      const pem = await readSmallFile({ path: file, what: 'The certificate', maxBytes: MAX_PEM_BYTES });
      return serves(pem, this.#names, clock()) ? pem : undefined;
    } catch {
      // Missing or damaged: a new one replaces it.
      return undefined;
    }
  }

  async #makeAndKeep(): Promise<string> {
    const { file, clock, logger } = this.#options;
    const pem = await make(this.#names, clock());
    if (file === undefined) return pem;
    try {
      await rm(`${file}.new`, { force: true });
      await writeFile(`${file}.new`, pem, { mode: 0o600, flag: 'wx' });
      await rename(`${file}.new`, file);
    } catch (error) {
      await rm(`${file}.new`, { force: true }).catch(() => {});
      logger.warn({ err: error }, 'the certificate that the server made can not be kept for its next start');
    }
    return pem;
  }
}

function namesFor(host: string): string[] {
  // The part after % is the interface of a link-local address.
  const [address = host] = host.split('%', 1);
  const isOneHost = isIP(address) === 0 ? /^[\w.-]+$/.test(address) : !/^[0.:]+$/.test(address);
  return [...new Set(['localhost', '127.0.0.1', '::1', ...(isOneHost ? [address] : [])])];
}

/** @throws if the file has no certificate with its key */
function serves(pem: string, names: readonly string[], now: number): boolean {
  const certificate = new X509Certificate(pem);
  return (
    certificate.checkPrivateKey(createPrivateKey(pem)) &&
    isTimely(certificate, now) &&
    names.every((name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined)
  );
}

/** Whether it is valid, and for a while yet. A clock that was ahead when it was made may be right again. */
function isTimely({ validFromDate, validToDate }: X509Certificate, now: number): boolean {
  return validFromDate.getTime() <= now && validToDate.getTime() - LEAST_LEFT_MS > now;
}

async function make(names: readonly string[], now: number): Promise<string> {
  // Loading it takes longer than the rest of a handshake, and most servers never need it.
  const { generate } = await import('selfsigned');
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: timeAt(now - VALID_BEFORE_MS),
    notAfterDate: timeAt(now - VALID_BEFORE_MS + VALID_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name })),
      },
    ],
  });
  return `${made.cert.trimEnd()}\n${made.private.trimEnd()}\n`;
}

function timeAt(milliseconds: number): Date {
  return new Date(Math.min(milliseconds, LAST_TIME));
}
