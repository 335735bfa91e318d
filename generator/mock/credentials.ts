import type { FastifyRequest } from 'fastify';
import type { SecurityScheme } from '@branchline/contract';

/** A security handler that takes any credential of its scheme, and refuses a request without one. */
export function takeAnyCredential({ type, scheme = '', name = '', in: place }: SecurityScheme) {
  return (request: FastifyRequest): string => {
    const { headers, url } = request;
    const credential = {
      header: headers[name.toLowerCase()]?.toString(),
      query: new URL(url, 'http://localhost').searchParams.get(name),
      cookie: new URLSearchParams(headers.cookie?.replaceAll(/; */g, '&')).get(name),
      authorization: headers.authorization?.match(/^(\S+) +\S/)?.[1]?.toLowerCase(),
    };
    if (type === 'mutualTLS') return 'certificate';
    const wanted = type === 'http' ? scheme.toLowerCase() : 'bearer';
    const isGiven =
      type === 'apiKey'
        ? Boolean(credential[place === 'query' || place === 'cookie' ? place : 'header'])
        : credential.authorization === wanted;
    if (isGiven) return 'anyone';
    throw Object.assign(new Error('Unauthorized'), { statusCode: 401 });
  };
}
