import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { readSmallFile, UserError } from '@branchline/command-line';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { type Certificate, type CertificateSource, MAX_PEM_BYTES } from './certificate.ts';
import { proveUsable } from './prove-usable.ts';

/** The minimum interval for rereading the files, which happens only when a client uses TLS. */
const READ_EVERY_MS = 60_000;

/** Paths of a certificate and its key, PEM. */
export interface CertificateFiles {
  cert: string;
  key: string;
}

/**
 * Returns the files given by the operator.
 *
 * @returns undefined if there are none
 * @throws UserError if there is only one
 */
export function certificateFiles({
  tlsCert,
  tlsKey,
}: Pick<Config, 'tlsCert' | 'tlsKey'>): CertificateFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert !== undefined && tlsKey !== undefined) return { cert: tlsCert, key: tlsKey };
  throw new UserError('A certificate needs its key: give --tls-cert and --tls-key, or neither.');
}

/** @throws UserError if a file can't be read, or the files don't contain a certificate and its key */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const cert = await read(files.cert, '--tls-cert');
  const key = await read(files.key, '--tls-key', true);
  const certificate = parsed(
    () => new X509Certificate(cert),
    `The file ${files.cert} of --tls-cert holds no certificate.`,
  );
  const privateKey = parsed(
    () => createPrivateKey(key),
    `The file ${files.key} of --tls-key holds no private key, or one with a passphrase, which can't be used.`,
  );
  if (!certificate.checkPrivateKey(privateKey)) throw mismatch(files);
  try {
    await proveUsable({ cert, key });
  } catch (error) {
    throw new UserError(`The certificate in ${files.cert} can't serve TLS: ${describeError(error)}.`);
  }
  return { cert, key };
}

function mismatch(files: CertificateFiles): UserError {
  return new UserError(
    `The key in ${files.key} does not belong to the first certificate in ${files.cert}. That must be the server's own; those of its issuers follow it.`,
  );
}

function read(path: string, flag: string, isOfSecret = false): Promise<string> {
  return readSmallFile({ path, what: `The file of ${flag}`, maxBytes: MAX_PEM_BYTES, isOfSecret });
}

function parsed<Parsed>(parse: () => Parsed, otherwise: string): Parsed {
  try {
    return parse();
  } catch {
    throw new UserError(`${otherwise} It must be PEM, a text that begins with -----BEGIN.`);
  }
}

export interface GivenCertificateOptions {
  files: CertificateFiles;
  /** The contents of the files at the start. */
  first: Certificate;
  clock: Clock;
  logger: FastifyBaseLogger;
}

/** A certificate from the operator's files, reloaded within a minute of a change: renewing it needs no restart. */
export class GivenCertificate implements CertificateSource {
  readonly isGiven = true;
  readonly #options: GivenCertificateOptions;
  #current: Certificate;
  #readAt: number;
  /** Why the current files can't be used, so that it is logged once. */
  #problem: string | undefined;

  constructor(options: GivenCertificateOptions) {
    this.#options = options;
    this.#current = options.first;
    this.#readAt = options.clock();
  }

  async current(): Promise<Certificate> {
    const now = this.#options.clock();
    if (now - this.#readAt >= READ_EVERY_MS) {
      this.#readAt = now;
      await this.#readAgain();
    }
    return this.#current;
  }

  async #readAgain(): Promise<void> {
    const { files, logger } = this.#options;
    try {
      const { cert, key } = await readCertificate(files);
      this.#problem = undefined;
      if (cert === this.#current.cert && key === this.#current.key) return;
      this.#current = { cert, key };
      logger.info('the certificate has been read again');
    } catch (error) {
      // A file may be half written, or its key still missing.
      const problem = describeError(error);
      if (problem !== this.#problem) logger.error({ reason: problem }, 'the old certificate stays in use');
      this.#problem = problem;
    }
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
