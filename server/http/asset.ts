import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { getOnly } from './get-only.ts';

/** A file for browsers. */
export interface Asset {
  type: string;
  cacheControl: string;
  options?: RouteShorthandOptions;
  read: () => string | Promise<Buffer>;
}

/**
 * A cached asset, compressed once. Both forms are sent from one buffer in memory, so that
 * many slow clients cost nothing.
 */
interface Kept {
  plain: Buffer;
  zipped: Buffer;
  etag: string;
}

const zip = promisify(gzip);

/** Serves an asset that is read and compressed on first use, and not sent to clients that already have it. */
export function serveAsset(
  app: FastifyInstance,
  path: string,
  { type, cacheControl, options = {}, read }: Asset,
): void {
  let kept: Promise<Kept> | undefined;
  const get = (): Promise<Kept> => {
    kept ??= keep(read).catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
  getOnly(app, path, options, async ({ headers }, reply) => {
    const { plain, zipped, etag } = await get();
    reply.headers({ etag, 'cache-control': cacheControl, vary: 'accept-encoding' });
    if (names(headers['if-none-match'], etag)) return reply.code(304).send();
    reply.type(type);
    return takesGzip(headers['accept-encoding'])
      ? reply.header('content-encoding', 'gzip').send(zipped)
      : reply.send(plain);
  });
}

async function keep(read: Asset['read']): Promise<Kept> {
  const plain = Buffer.from(await read());
  // Weak, since it is the same with and without compression.
  return { plain, zipped: await zip(plain), etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"` };
}

/** RFC 9110, 13.1.2: whether `If-None-Match` contains this version or `*`. */
function names(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim()) ?? [];
  return tags.some((tag) => tag === '*' || tag === etag || `W/${tag}` === etag);
}

/** RFC 9110, 12.5.3; `*` alone does not request it. */
function takesGzip(acceptEncoding = ''): boolean {
  return acceptEncoding.split(',').some((part) => {
    const [coding, weight] = part.toLowerCase().replaceAll(/\s/g, '').split(';');
    return coding === 'gzip' && (weight === undefined || Number(weight.replace('q=', '')) > 0);
  });
}
