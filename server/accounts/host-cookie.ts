import { stringifySetCookie } from 'cookie';

/** The name of a cookie. Over TLS browsers take it from this very host only, and for no other path (RFC 6265bis, cookie name prefixes). */
export function hostCookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

export interface HostCookie {
  name: string;
  value: string;
  /** Whether the browser came over TLS. */
  secure: boolean;
  /** Milliseconds since 1970, UTC; 0 drops the cookie. */
  expiresAt: number;
}

/** The `Set-Cookie` header of a cookie for this host alone, which no script can read and no other site's page sends along. */
export function setHostCookie({ name, value, secure, expiresAt }: HostCookie): string {
  return stringifySetCookie({
    name: hostCookieName(name, secure),
    value,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    expires: new Date(expiresAt),
  });
}
