import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import swaggerUi from 'swagger-ui-dist/package.json' with { type: 'json' };
import { serveAsset } from './asset.ts';
import { PAGE_HEADERS } from './security-headers.ts';

const SWAGGER_UI_FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const ASSETS = `/docs/assets/${swaggerUi.version}`;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Branchline API</title>
    <link rel="stylesheet" href="${ASSETS}/swagger-ui.css">
    <link rel="icon" href="${ASSETS}/favicon-32x32.png">
  </head>
  <body>
    <div id="contract"></div>
    <script src="${ASSETS}/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#contract',
  deepLinking: true,
  validatorUrl: null,
  showExtensions: true,
});
`;

/** A file with its version in the URL never changes; other files are revalidated each time. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';

/** Serves `/docs`, the rendered contract, and `/docs/openapi.json`, the contract itself, with local files only. */
export function registerDocs(app: FastifyInstance, contract: object): void {
  serveAsset(app, '/docs', {
    type: 'text/html; charset=utf-8',
    cacheControl: ASK_AGAIN,
    options: { helmet: PAGE_HEADERS },
    read: () => PAGE,
  });
  serveAsset(app, '/docs/start.js', {
    type: 'text/javascript; charset=utf-8',
    cacheControl: ASK_AGAIN,
    read: () => START,
  });
  serveAsset(app, '/docs/openapi.json', {
    type: 'application/json; charset=utf-8',
    cacheControl: ASK_AGAIN,
    read: () => JSON.stringify(contract),
  });
  for (const [name, type] of Object.entries(SWAGGER_UI_FILES)) {
    const file = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
    serveAsset(app, `${ASSETS}/${name}`, { type, cacheControl: FOR_EVER, read: () => readFile(file) });
  }
}
