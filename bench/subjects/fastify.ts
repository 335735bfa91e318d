import fastify from 'fastify';
import { SOURCE } from './place.ts';
import { type Batch, byHand } from './by-hand.ts';

// Bare Fastify: no authentication, no validation, no limits, no log.
const [file = ''] = process.argv.slice(2);
const { createBranch, ingest } = byHand(file);
const app = fastify();

app.post<{ Params: { workspaceId: string }; Body: { name: string } }>(
  '/workspaces/:workspaceId/branches/v1',
  async (request, reply) => {
    const created = createBranch(request.params.workspaceId, request.body.name);
    if (created === undefined) return reply.code(409).send({ error: 'Branch with this name already exists' });
    return reply.code(201).send(created);
  },
);

app.post<{ Body: Batch }>('/inspector/batches/v1', (request, reply) => {
  reply.send({ ...ingest('bench', SOURCE, request.body), rejected: [], samplingRate: 1 });
});

process.stdout.write(`listens on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
