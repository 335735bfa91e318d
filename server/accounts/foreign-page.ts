import type { FastifyRequest } from 'fastify';
import { HttpError } from '../http/http-error.ts';

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A cookie goes along with whatever request a browser makes, so what changes something must come from a page of ours. Browsers
 * say where it comes from: all of today's in `Sec-Fetch-Site`, older ones in `Origin`. What says neither is no browser.
 *
 * @throws HttpError 403 when another site's page made the request
 */
export function refuseForeignPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): void {
  if (SAFE.has(method)) return;
  const site = headers['sec-fetch-site'];
  const isOurs = site === undefined ? isOwnOrigin(headers.origin, headers.host) : site === 'same-origin';
  if (isOurs) return;
  throw new HttpError(403, 'This request was made by a page of another site. Sign in on the page of this service.');
}

function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
