import { isIP, isIPv6 } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import { UserError } from '@branchline/command-line';
import { bareAddress } from './http/client-address.ts';
import { LOOPBACK } from './loopback.ts';
import { connectTimeout } from './storage/postgres/connect-timeout.ts';

/** Parsers of setting values. Each throws a UserError that says what the value must be. */

/** An address to listen on. */
export interface Address {
  host: string;
  port: number;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

export function text(what: string): (value: string) => string {
  return (value) => {
    if (value.trim() === '') throw new UserError(`It must be ${what}, not empty.`);
    return value;
  };
}

/** A URL may hold a password, which errors about the file would repeat. */
export function file(value: string): string {
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(value)) throw new UserError('It must be the path of a file, not a URL.');
  return text('the path of a file')(value);
}

export function databaseFile(value: string): string {
  // SQLite takes both for something else than the path of a file.
  if (/^(:memory:|file:)/i.test(value)) {
    throw new UserError('It must be the path of a file, such as data/branchline.db, not a URI or :memory:.');
  }
  if (/^postgres(ql)?:\/\//i.test(value)) {
    throw new UserError('It must be the path of a file; name a PostgreSQL database by DATABASE_URL or --database-url.');
  }
  if (/[\\/]$/.test(value))
    throw new UserError('It must be the path of a file, such as data/branchline.db, not a folder.');
  return file(value);
}

export function host(value: string): string {
  if (/^[^@/\s]+$/.test(value)) return value;
  throw new UserError('It must be an address or a host name, such as 127.0.0.1, without port, user or http://.');
}

export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    throw new UserError(`It must be a whole number from ${least} to ${most}.`);
  };
}

export function decimalNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+(\.\d+)?$/.test(value) && number >= least && number <= most) return number;
    throw new UserError(`It must be a number from ${least} to ${most}.`);
  };
}

export function trueOrFalse(value: string): boolean {
  if (value === 'true') return true;
  if (value === 'false') return false;
  throw new UserError('It must be true or false.');
}

export function address(value: string): Address {
  const [, ipv6, name, digits] = /^(?:\[(.+)\]|([\w.-]+)):(\d{1,5})$/.exec(value) ?? [];
  const host = ipv6 === undefined ? name : isIPv6(ipv6) ? ipv6 : undefined;
  const port = Number(digits);
  if (host !== undefined && port <= 65_535) return { host, port };
  throw new UserError('It must be a host and a port, such as 127.0.0.1:9464, or [::1]:9464 for IPv6.');
}

export function postgresUrl(value: string): string {
  const url = /^postgres(ql)?:\/\//.test(value) && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || isCutShort(url) || !isDecodable(url.pathname)) {
    throw new UserError(
      'It must be a URL such as postgres://user:password@host:5432/name, with @ / ? # % in user, password and name as %40 %2F %3F %23 %25.',
    );
  }
  connectTimeout(value);
  return value;
}

/** Whether a password that is not encoded has ended what comes before the host: the rest of it would pass for a name. */
function isCutShort({ host, username, password, pathname, search, hash }: URL): boolean {
  const hasNoUser = host !== '' && username === '' && password === '';
  return hash !== '' || pathname.includes('@') || (hasNoUser && search.includes('@'));
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function hexKey(value: string): string {
  if (/^[0-9a-f]{64}$/i.test(value)) return value;
  throw new UserError('It must be 64 hexadecimal digits. Make one with: openssl rand -hex 32');
}

export function webHost(value: string): string {
  const [, ipv6, name] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d+)?$/i.exec(value) ?? [];
  const isHost = ipv6 === undefined ? name?.split('.').every(isHostLabel) === true : isIPv6(ipv6);
  // Which knows how large a port may be, and what looks like an address but is none.
  if (isHost && URL.canParse(`http://${value}`)) return value;
  throw new UserError(
    'It must be a host, with a port if need be, such as web.example.com or localhost:8080, without https://.',
  );
}

/** One of the parts of a host's name, which dots separate. */
function isHostLabel(label: string): boolean {
  return /^\w([\w-]{0,61}\w)?$/.test(label);
}

/** Whether nobody on the way to it can read along: HTTPS, or HTTP on this machine. */
export function isPrivateUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
}

/** @returns the issuer unchanged: a trailing slash is part of its name */
export function oidcIssuer(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isBare = url?.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (isPrivateUrl(value) && isBare && value.length <= 255) return value;
  throw new UserError(
    'It must be a URL such as https://login.example.com, without query, fragment or user, of 255 characters at most; http:// is taken of this machine only (localhost).',
  );
}

export function proxies(value: string): string {
  const all = value.split(',').map((one) => one.trim());
  if (all.every(looksLikeProxy) && canTrust(all)) return value;
  throw new UserError(
    'It must be addresses, networks such as 10.0.0.0/8 (of all addresses, /0, none; of IPv4 as IPv4, not as ::ffff:…), or loopback, linklocal or uniquelocal, separated by commas.',
  );
}

/**
 * The library also takes what nobody means, such as 10 for 0.0.0.10, or a network of IPv4 written as IPv6, which may be all of IPv4
 * (`::ffff:0:0/96`) or none of it (`::ffff:10.0.0.0/8`).
 */
function looksLikeProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [, address = '', prefix] = /^([\da-f.:]+)(\/\d{1,3})?$/i.exec(text) ?? [];
  return isIP(address) > 0 && (prefix === undefined || !isMapped(address));
}

/** Whether it is an address of IPv4 written as one of IPv6 (RFC 4291 section 2.5.5.2). */
function isMapped(address: string): boolean {
  return bareAddress(address)?.startsWith('::ffff:') === true;
}

/** Whether Fastify takes them: this is what it reads `trustProxy` with. */
function canTrust(proxies: string[]): boolean {
  try {
    compile(proxies);
    return true;
  } catch {
    return false;
  }
}

export function rateLimitMode(value: string): 'soft' | 'hard' {
  if (value === 'soft' || value === 'hard') return value;
  throw new UserError('It must be soft or hard.');
}

export function logLevel(value: string): string {
  if (LOG_LEVELS.includes(value)) return value;
  throw new UserError(`It must be one of: ${LOG_LEVELS.join(', ')}.`);
}
