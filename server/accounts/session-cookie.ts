import type { FastifyRequest } from 'fastify';
import contract from '../generated/contract.json' with { type: 'json' };
import { LOOPBACK } from '../loopback.ts';
import { hostCookieName, readCookies, setHostCookie } from './host-cookie.ts';
import { isWorkspaceId } from './workspaces.ts';

const NAME = contract.components.securitySchemes.session.name;

/** The maximum number of workspaces that a browser can be signed in to; more remove the oldest session. */
export const MOST_SESSIONS = 8;

/** A token, and the workspace of its session. */
export interface SessionToken {
  workspaceId: string;
  token: string;
}

/**
 * The sessions claimed by a request's cookies, in the order they started in each. Over TLS, only the name that no other host can set
 * counts; without TLS it counts instead of the plain one, since some proxies do not report that the browser connected over TLS.
 * On this machine, where somebody may have signed in both over TLS and without it, and browsers send both, both count.
 */
export function sessionTokens(request: Pick<FastifyRequest, 'protocol' | 'headers'>): SessionToken[] {
  const parts = cookieValues(request).flatMap((value) => value.split('~', MOST_SESSIONS));
  return Array.from(new Set(parts), (part) => ({
    workspaceId: part.slice(0, part.indexOf('.')),
    token: part.slice(part.indexOf('.') + 1),
  })).filter(({ workspaceId, token }) => isWorkspaceId(workspaceId) && /^[\w-]{43}$/.test(token));
}

function cookieValues(request: Pick<FastifyRequest, 'protocol' | 'headers'>): string[] {
  const cookies = readCookies(request.headers.cookie);
  const ofThisHost = cookies[hostCookieName(NAME, true)];
  const plainCounts = isThisMachine(request.headers.host ?? '') || (ofThisHost === undefined && !cameOverTls(request));
  return [ofThisHost, plainCounts ? cookies[NAME] : undefined].filter((value) => value !== undefined);
}

/** @param host optionally with a port */
function isThisMachine(host: string): boolean {
  return LOOPBACK.has(host.replace(/:\d+$/, ''));
}

/**
 * Whether the browser connected over TLS: to this server, to a trusted proxy, or to another one, which only the
 * browser reveals in the `Origin` of requests that change something.
 */
export function cameOverTls({ protocol, headers }: Pick<FastifyRequest, 'protocol' | 'headers'>): boolean {
  return protocol === 'https' || headers.origin?.startsWith('https:') === true;
}

/**
 * The `Set-Cookie` header that stores these sessions, or deletes the cookie.
 *
 * @param secure whether the browser connected over TLS
 */
export function sessionCookie(tokens: readonly SessionToken[], { secure, expiresAt }: CookieOptions): string {
  const value = tokens
    .slice(-MOST_SESSIONS)
    .map(({ workspaceId, token }) => `${workspaceId}.${token}`)
    .join('~');
  return setHostCookie({ name: NAME, value, secure, expiresAt: tokens.length === 0 ? 0 : expiresAt });
}

export interface CookieOptions {
  secure: boolean;
  /** When the last of the sessions expires; milliseconds since 1970, UTC. */
  expiresAt: number;
}
