import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** How a reply ended: sent whole, or broken off by either side. */
export type ReplyEnd = 'whole' | 'broken';

/** Calls back once for each reply, when nothing more of it will be sent. */
export function onReplyEnd(
  app: FastifyInstance,
  listener: (request: FastifyRequest, reply: FastifyReply, end: ReplyEnd) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => listener(request, reply, reply.raw.writableFinished ? 'whole' : 'broken'));
    done();
  });
}
