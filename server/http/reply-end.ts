import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** How a reply ended: sent completely, or aborted by either side. */
export type ReplyEnd = 'whole' | 'broken';

/** Clients read a stream of events for as long as they want. */
function endsAnywhere(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream');
}

/** Calls back once per reply, when nothing more of it will be sent. */
export function onReplyEnd(
  app: FastifyInstance,
  listener: (request: FastifyRequest, reply: FastifyReply, end: ReplyEnd) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const isWhole = reply.raw.writableFinished || endsAnywhere(reply);
      listener(request, reply, isWhole ? 'whole' : 'broken');
    });
    done();
  });
}
