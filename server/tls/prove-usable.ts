import { duplexPair } from 'node:stream';
import { connect, createSecureContext, TLSSocket } from 'node:tls';
import type { Certificate } from './certificate.ts';

/**
 * Has a client shake hands with a server that has the certificate, in memory: OpenSSL takes keys that no client takes, such as
 * those of the curve secp256k1, and shows it only there.
 *
 * @throws Error with OpenSSL's reason
 */
export async function proveUsable(certificate: Certificate): Promise<void> {
  const secureContext = createSecureContext(certificate);
  const [near, far] = duplexPair();
  const server = new TLSSocket(near, { isServer: true, secureContext });
  // Whether the client would trust the issuer is not asked.
  const client = connect({ socket: far, rejectUnauthorized: false });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.on('error', reject);
  client.on('error', reject).once('secureConnect', resolve);
  try {
    await promise;
  } finally {
    client.destroy();
    server.destroy();
  }
}
