import type { FastifyInstance, FastifyRequest } from 'fastify';
import contract from '../generated/contract.json' with { type: 'json' };
import { authenticatedAs, operationOf } from '../http/operation.ts';
import type { Intake } from './intake.ts';

/** The most that a body has, as sent and decompressed. */
const LARGEST_BODY = contract.paths['/inspector/batches/v1'].post.requestBody['x-branchline-max-body-bytes'];

/** Has batches wait for room before their bodies are read, after they were counted against their rate limit. */
export function registerIntake(app: FastifyInstance, intake: Intake): void {
  app.addHook('preParsing', async (request, reply) => {
    if (operationOf(request) !== 'ingestBatch') return;
    const { apiKey } = authenticatedAs(request);
    if (apiKey === undefined) return;
    const leave = await intake.enter(apiKey.workspaceId, weightOf(request));
    if (reply.raw.closed) leave();
    else reply.raw.once('close', leave);
  });
}

/** The bytes that the body may have. What is compressed, or of unknown length, may have as many as any. */
function weightOf({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? Number.NaN);
  const isPlain = headers['content-encoding'] === undefined && Number.isSafeInteger(length);
  return isPlain ? Math.min(length, LARGEST_BODY) : LARGEST_BODY;
}
