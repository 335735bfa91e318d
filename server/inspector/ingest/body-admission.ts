import type { FastifyInstance, FastifyRequest } from 'fastify';
import contract from '../../generated/contract.json' with { type: 'json' };
import { requirePrincipals, findOperation } from '../../http/operation.ts';
import { FairShare } from '../../storage/fair-share.ts';
import { NotTaken } from '../../storage/group-commit.ts';

/** The most that a body has, as sent and decompressed. */
const LARGEST_BODY = contract.paths['/inspector/batches/v1'].post.requestBody['x-branchline-max-body-bytes'];

/** The bytes of bodies that may be read at once. Read and judged they take up to twenty times as much memory. */
const MOST_BYTES = 24 * 1024 * 1024;

const MOST_WAITING = 2_000;

const WAIT_MS = 10_000;

/**
 * Has batches wait for room before their bodies are read, after they were counted against their rate limit: a body that is not
 * read waits at its sender and takes no memory here. Workspaces take turns.
 */
export function registerBodyAdmission(app: FastifyInstance): void {
  const room = new FairShare({ total: MOST_BYTES, mostWaiting: MOST_WAITING });
  app.addHook('preParsing', async (request, reply) => {
    if (findOperation(request) !== 'ingestBatch') return;
    const { apiKey } = requirePrincipals(request);
    if (apiKey === undefined) return;
    const leave = await room.take(apiKey.workspaceId, { weight: estimateWeight(request), waitMs: WAIT_MS });
    if (leave === undefined) {
      throw new NotTaken('The service has more to read than it can now. Try again in a moment.');
    }
    if (reply.raw.closed) leave();
    else reply.raw.once('close', leave);
  });
}

/** The bytes that the body may have. What is compressed, or of unknown length, may have as many as any. */
function estimateWeight({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? Number.NaN);
  const isPlain = headers['content-encoding'] === undefined && Number.isSafeInteger(length);
  return isPlain ? Math.min(length, LARGEST_BODY) : LARGEST_BODY;
}
