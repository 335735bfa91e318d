import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import contract from '../../generated/contract.json' with { type: 'json' };
import { waitWhileWanted } from '../../http/client-left.ts';
import { requirePrincipals, findOperation } from '../../http/operation.ts';
import { NotTaken } from '../../storage/group-commit.ts';
import { BodyRoom } from './body-room.ts';

/** The most that a body has, as sent and decompressed. */
const LARGEST_BODY = contract.paths['/inspector/batches/v1'].post.requestBody['x-branchline-max-body-bytes'];

/**
 * Has batches wait for room before their bodies are read, after they were counted against their rate limit: a body that is not
 * read waits at its sender and takes no memory here. Workspaces take turns.
 */
export function registerBodyAdmission(app: FastifyInstance): void {
  const room = new BodyRoom();
  app.addHook('preParsing', async (request, reply) => {
    if (findOperation(request) !== 'ingestBatch') return;
    const { apiKey } = requirePrincipals(request);
    if (apiKey === undefined) return;
    const body = {
      holder: apiKey.workspaceId,
      weight: estimateWeight(request),
      isArriving: () => !request.raw.complete,
      giveUp: () => giveUp(request, reply),
    };
    const leave = await waitWhileWanted(request, (signal) => room.take(body, signal));
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

/** The connection ends with the answer: what else comes of the body would take room. */
function giveUp({ raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) return;
  reply.raw.once('finish', () => socket.destroySoon());
  const error = 'The body arrived too slowly while others waited. Try again in a moment.';
  void reply.code(503).headers({ 'retry-after': '1', connection: 'close' }).send({ error });
}
