import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export const FORWARDED_FOR = 'x-forwarded-for';
const PROTOCOL_HEADER = 'x-forwarded-proto';

/** How many addresses are read, from the last, which the nearest proxy wrote: a client can send thousands. */
const MOST_ADDRESSES = 20;

/** Stands for what is no address: nobody trusts it, so whoever came before it in the header is not believed. */
const NO_ADDRESS = 'unknown';

/**
 * Reads the addresses that proxies name in `X-Forwarded-For` before anything uses them. Some proxies write the port along; then each
 * connection would come from another address. The name of a protocol means the same in capitals (RFC 3986 section 3.1).
 */
export function readForwardedHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    readAddresses(headers);
    const protocol = headers[PROTOCOL_HEADER];
    if (typeof protocol === 'string') headers[PROTOCOL_HEADER] = protocol.toLowerCase();
    done();
  });
}

/** Writes them as addresses alone, the last ones; doing so again changes nothing. */
function readAddresses(headers: IncomingHttpHeaders): void {
  const forwarded = headers[FORWARDED_FOR];
  if (typeof forwarded !== 'string') return;
  headers[FORWARDED_FOR] = forwarded
    .split(',')
    .slice(-MOST_ADDRESSES)
    .map((written) => bareAddress(written.trim()) ?? NO_ADDRESS)
    .join(', ');
}

/** Whether an address is that of a proxy whose `X-Forwarded-For` is believed. */
export type IsTrusted = (address: string) => boolean;

/** @param trustedProxies as Fastify's `trustProxy` has it */
export function compileTrusted(trustedProxies: string): IsTrusted {
  const isTrusted = proxyAddress.compile(trustedProxies.split(',').map((proxy) => proxy.trim()));
  return (address) => isTrusted(address, 0);
}

/** Returns what finds the address of a client, as {@link clientAddress} does, of a request that Fastify has not seen yet. */
export function createAddressFinder(isTrusted: IsTrusted): (request: IncomingMessage) => string {
  return (request) => {
    const { headers, socket } = request;
    if (headers[FORWARDED_FOR] === undefined) return socket.remoteAddress ?? '';
    readAddresses(headers);
    return clientAddress({ ip: proxyAddress(request, isTrusted), socket });
  };
}

/** Returns the client's address: the one that trusted proxies name, or that of the connection if what they name is none. */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
}

/**
 * Returns an address in canonical form, without what proxies may write along with it; undefined if it is none.
 *
 * @param written such as `192.0.2.1`, `192.0.2.1:50000`, `[2001:db8::1]:50000` or `fe80::1%eth0`
 */
export function bareAddress(written: string): string | undefined {
  const [, bracketed, beforePort] = /^(?:\[(.*)\](?::\d+)?|([^:]*):\d+)$/.exec(written) ?? [];
  const address = (bracketed ?? beforePort ?? written).replace(/%.*$/, '');
  if (isIPv4(address)) return address;
  return isIPv6(address) ? new SocketAddress({ address, family: 'ipv6' }).address : undefined;
}
