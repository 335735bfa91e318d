import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { isPage } from './page-routes.ts';
import { serveAsset } from '../http/asset.ts';
import { getOnly } from '../http/get-only.ts';
import { HttpError } from '../http/http-error.ts';
import { type ConsoleFiles, findConsole } from './files.ts';
import { CONSOLE_HEADERS } from './page-headers.ts';

const BELOW_SCHEMAS = '/schemas/*';

/** The routes of the console's pages and of everything below their prefix. */
const PAGES = ['/', '/sign-in', '/sign-in/oidc', BELOW_SCHEMAS];

const HTML = 'text/html; charset=utf-8';

/** How many media types of `Accept` are read: more than browsers send. */
const MOST_TYPES = 32;

/**
 * Serves the console's page and its assets. The page's script decides by the path what to show.
 *
 * @param folder the folder of the built console
 */
export function registerConsole(app: FastifyInstance, folder: string): void {
  const files = findConsole(folder);
  if (files === undefined) {
    for (const path of PAGES) getOnly(app, path, {}, refuseUnbuilt);
    return;
  }
  const { page, assets } = files;
  for (const path of PAGES) {
    serveAsset(app, path, {
      type: HTML,
      cacheControl: 'no-cache',
      options: { helmet: CONSOLE_HEADERS },
      read: () => readFile(page),
    });
  }
  for (const { name, path, type } of assets) {
    serveAsset(app, `/console/assets/${name}`, {
      type,
      cacheControl: 'public, max-age=31536000, immutable',
      read: () => readFile(path),
    });
  }
  showUnknownPaths(app, files);
}

async function refuseUnbuilt(): Promise<never> {
  throw new HttpError(
    503,
    "The console has not been built. Run `npm run build:console` in Branchline's own folder, then start the server again.",
  );
}

/** Answers an unknown path with the console's own page to browsers, and with JSON to programs. */
function showUnknownPaths(app: FastifyInstance, { page }: ConsoleFiles): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 && !isUnknownPage(request)) return;
    reply.headers({ 'cache-control': 'no-cache', vary: 'accept' });
    if (!isForReading(request)) return request.is404 ? undefined : reply.callNotFound();
    await reply.helmet(CONSOLE_HEADERS);
    return reply
      .code(404)
      .type(HTML)
      .send(await readFile(page));
  });
}

/** Whether the path is below the pages' prefix but matches none of them. */
function isUnknownPage({ routeOptions, url }: FastifyRequest): boolean {
  if (routeOptions.url !== BELOW_SCHEMAS) return false;
  const [path = ''] = url.replace(/^\w+:\/\/[^/]*/, '').split('?', 1);
  return !isPage(path);
}

function isForReading({ method, raw }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const accept = raw.headers.accept?.split(',', MOST_TYPES).join();
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html';
}
