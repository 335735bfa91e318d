import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import contract from '../generated/contract.json' with { type: 'json' };
import { LOOPBACK } from '../loopback.ts';
import { hostCookieName, setHostCookie } from './host-cookie.ts';
import { isWorkspaceId } from './workspaces.ts';

const NAME = contract.components.securitySchemes.session.name;

/** In how many workspaces a browser can be signed in at a time; from then on the oldest session is forgotten. */
export const MOST_SESSIONS = 8;

/** A token, and the workspace whose session it proves. */
export interface SessionToken {
  workspaceId: string;
  token: string;
}

/**
 * The sessions that a request's cookie claims, in the order in which they began. Over TLS only the name counts that no other
 * host can set, but on this machine, where somebody may have signed in without; without TLS it counts as well, since there are
 * proxies that do not say that the browser came over TLS.
 */
export function sessionTokens(request: Pick<FastifyRequest, 'protocol' | 'headers'>): SessionToken[] {
  const cookies = parseCookie(request.headers.cookie ?? '');
  const otherHostsCanSet = cameOverTls(request) && !isThisMachine(request.headers.host ?? '');
  const value = cookies[hostCookieName(NAME, true)] ?? (otherHostsCanSet ? '' : cookies[NAME]) ?? '';
  return value
    .split('~', MOST_SESSIONS)
    .map((part) => ({ workspaceId: part.slice(0, part.indexOf('.')), token: part.slice(part.indexOf('.') + 1) }))
    .filter(({ workspaceId, token }) => isWorkspaceId(workspaceId) && /^[\w-]{43}$/.test(token));
}

/** @param host perhaps with a port */
function isThisMachine(host: string): boolean {
  return LOOPBACK.has(host.replace(/:\d+$/, ''));
}

/**
 * Whether the browser came over TLS: to this server, to a proxy that we believe, or to another one, of which only the browser
 * tells in the `Origin` of what changes something.
 */
export function cameOverTls({ protocol, headers }: Pick<FastifyRequest, 'protocol' | 'headers'>): boolean {
  return protocol === 'https' || headers.origin?.startsWith('https:') === true;
}

/**
 * The `Set-Cookie` header that has a browser keep these sessions, or none any more.
 *
 * @param secure whether the browser came over TLS
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
  /** When the last of the sessions ends at the latest; milliseconds since 1970, UTC. */
  expiresAt: number;
}
