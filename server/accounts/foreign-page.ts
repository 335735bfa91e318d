import type { FastifyRequest } from 'fastify';
import { HttpError } from '../http/http-error.ts';

/** The safe methods (RFC 9110, 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

const FOREIGN = 'This request was made by a page of another site. Sign in on the page of this service.';

const UNSAID =
  'This request does not say that a page of this service made it. Send its header Sec-Fetch-Site or Origin, as browsers do, or use a service account.';

/**
 * Browsers send cookies with requests from any site, so requests that change something must come from our own pages. Browsers
 * report the origin of a request: all current ones in `Sec-Fetch-Site`, older ones in `Origin`. Without either it is unknown.
 *
 * @throws HttpError 403 unless the request comes from a page of ours
 */
export function refuseForeignPage({
  method,
  headers,
  protocol,
}: Pick<FastifyRequest, 'method' | 'headers' | 'protocol'>): void {
  if (SAFE.has(method)) return;
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site === undefined && origin === undefined) throw new HttpError(403, UNSAID);
  const isOurs = site === undefined ? isOwnOrigin(origin, host, protocol) : site === 'same-origin';
  if (!isOurs) throw new HttpError(403, FOREIGN);
}

/** A scheme, a host of 253 characters and a port. To read a host costs the square of its length. */
const LONGEST_ORIGIN = 300;

/** Over TLS a page that came without it may be anybody's who is on the way; without TLS, a proxy may have taken that off. */
function isOwnOrigin(origin: string | undefined, host: string | undefined, protocol: 'http' | 'https'): boolean {
  if (origin === undefined || origin.length > LONGEST_ORIGIN || host === undefined) return false;
  const page = URL.parse(origin);
  const hasFittingScheme = page?.protocol === 'https:' || (page?.protocol === 'http:' && protocol === 'http');
  return hasFittingScheme && page.host === host.toLowerCase();
}
