import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { getOnly } from './get-only.ts';
import { PAGE_HEADERS } from './security-headers.ts';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Branchline API</title>
    <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
    <link rel="icon" href="/docs/assets/favicon-32x32.png">
  </head>
  <body>
    <div id="contract"></div>
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
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

/** `/docs`: the contract rendered, and `/docs/openapi.json`: the contract itself. Every file comes from this server. */
export async function registerDocs(app: FastifyInstance, contract: object): Promise<void> {
  const contractText = JSON.stringify(contract);
  await app.register(fastifyStatic, {
    root: dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'))),
    prefix: '/docs/assets/',
    allowedPath: (path) => /^\/(swagger-ui(-bundle)?\.(css|js)|favicon-32x32\.png)$/.test(path),
  });
  getOnly(app, '/docs', { helmet: PAGE_HEADERS }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(PAGE),
  );
  getOnly(app, '/docs/start.js', {}, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(START),
  );
  getOnly(app, '/docs/openapi.json', {}, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(contractText),
  );
}
