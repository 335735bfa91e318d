import { duplexPair } from 'node:stream';
import { connect, createSecureContext, TLSSocket } from 'node:tls';
import type { Certificate } from './certificate.ts';

/** What clients offer for signatures and their curves; OpenSSL, and so Node, offers others too, such as those of Brainpool. */
const OFFERED = {
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  sigalgs: [
    'ecdsa_secp256r1_sha256:ecdsa_secp384r1_sha384:ecdsa_secp521r1_sha512:ed25519:ed448',
    'rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512',
    'rsa_pss_pss_sha256:rsa_pss_pss_sha384:rsa_pss_pss_sha512',
    'rsa_pkcs1_sha256:rsa_pkcs1_sha384:rsa_pkcs1_sha512',
  ].join(':'),
};

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
  const client = connect({ socket: far, rejectUnauthorized: false, ...OFFERED });
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
