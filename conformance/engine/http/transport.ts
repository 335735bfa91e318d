import type { Transport } from './client.ts';
import { Http1Transport } from './http1.ts';
import { Http2Transport } from './http2.ts';
import type { TlsOptions } from './tls.ts';

/** How connections are made. */
export interface TransportOptions {
  readonly tls?: TlsOptions | undefined;
  /** HTTP/2 instead of HTTP/1.1; without TLS with prior knowledge (RFC 9113, 3.3). */
  readonly isHttp2?: boolean | undefined;
}

/**
 * @param kept - how many connections are kept for several exchanges; HTTP/2 has one for any number. Left out: each exchange has
 * a connection of its own, so that none can spoil another.
 */
export function openTransport(options: TransportOptions = {}, kept?: number): Transport {
  return options.isHttp2 === true
    ? new Http2Transport(options.tls, kept !== undefined)
    : new Http1Transport(options.tls, kept);
}
