import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import express from 'express';
import * as validator from 'express-openapi-validator';
import { byHand } from './by-hand.ts';
import { SOURCE } from './place.ts';

// Express with the contract's validation. Credentials must be there, but nobody checks them; no limits, no log.
const [file = ''] = process.argv.slice(2);
const { createBranch, ingest } = byHand(file);
const app = express();
app.use(express.json({ limit: '1mb' }));
app.use(
  validator.middleware({
    apiSpec: fileURLToPath(new URL('../../openapi.yaml', import.meta.url)),
    validateRequests: true,
    validateResponses: false,
  }),
);

app.post('/workspaces/:workspaceId/branches/v1', (request, response) => {
  const created = createBranch(request.params.workspaceId, request.body.name);
  if (created === undefined) response.status(409).json({ error: 'Branch with this name already exists' });
  else response.status(201).json(created);
});

app.post('/inspector/batches/v1', (request, response) => {
  response.json({ ...ingest('bench', SOURCE, request.body), rejected: [], samplingRate: 1 });
});

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
