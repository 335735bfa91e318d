import { parseCookie, stringifySetCookie } from 'cookie';

/** The name of a cookie. Over TLS, browsers accept it only from this host and path (RFC 6265bis, cookie name prefixes). */
export function hostCookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

/** The cookies of a request as they are written: ours need no decoding, and each that can't be decoded would cost a stack. */
export function readCookies(header: string | undefined): Record<string, string | undefined> {
  return parseCookie(header ?? '', { decode: (text) => text });
}

export interface HostCookie {
  name: string;
  value: string;
  /** Whether the browser connected over TLS. */
  secure: boolean;
  /** Milliseconds since 1970, UTC; 0 deletes the cookie. */
  expiresAt: number;
}

/** The `Set-Cookie` header of a cookie for this host only, which scripts can't read and other sites' requests don't carry. */
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
