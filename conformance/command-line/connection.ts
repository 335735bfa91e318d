import { createSecureContext, getCACertificates } from 'node:tls';
import type { TransportOptions } from '../engine/http/transport.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { readGivenFile } from '../given-file.ts';

/** The options of connections, as they were written. */
export interface GivenForConnections {
  readonly http2?: boolean;
  readonly cacert?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure?: boolean;
}

/** @throws CouldNotRun with a sentence that says which file can't be used. */
export function connectionFrom({ http2, cacert, cert, key, insecure }: GivenForConnections): TransportOptions {
  if (key !== undefined && cert === undefined)
    throw new CouldNotRun('--key needs --cert, the certificate that it belongs to.');
  const authorities = cacert === undefined ? undefined : readGivenFile(cacert, '--cacert');
  const certificate = cert === undefined ? undefined : readGivenFile(cert, '--cert');
  // As for curl, one file may hold both.
  const privateKey = key === undefined ? certificate : readGivenFile(key, '--key');
  if (authorities !== undefined && !authorities.includes('-----BEGIN CERTIFICATE-----'))
    throw new CouldNotRun(`--cacert: the file ${cacert} holds no certificate in PEM.`);
  tryOut('--cacert', { ca: authorities });
  tryOut('--cert', { cert: certificate, key: privateKey });
  return {
    isHttp2: http2 === true,
    tls: {
      isInsecure: insecure === true,
      ...(authorities === undefined ? {} : { ca: [...getCACertificates(), authorities] }),
      ...(certificate === undefined ? {} : { cert: certificate, key: privateKey }),
    },
  };
}

function tryOut(option: string, files: Parameters<typeof createSecureContext>[0]): void {
  try {
    createSecureContext(files);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CouldNotRun(
      `${option}: what it names can't be used (${why}). Certificates and keys have to be PEM, a key without a passphrase, and the one the other's.`,
    );
  }
}
