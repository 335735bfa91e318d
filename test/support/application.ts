import fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyRequest } from 'fastify';

/** A request as the handlers of any contract see it. */
export interface AnyRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  cookies: Record<string, unknown>;
  principals: Record<string, unknown>;
  body: unknown;
  type?: string;
  raw: FastifyRequest;
}

export interface AnyReply {
  status: number;
  type?: string;
  headers?: Record<string, unknown>;
  body?: unknown;
}

/** The hand-written side, without the types that a generated `handlers.ts` gives. */
export interface AnyOptions {
  prefix?: string;
  handlers: Record<string, (request: AnyRequest) => AnyReply | Promise<AnyReply>>;
  securityHandlers: Record<string, (request: FastifyRequest, scopes: readonly string[]) => unknown>;
  invalidBody?: Record<string, (request: AnyRequest, problem: Error) => AnyReply | Promise<AnyReply>>;
  holderOf?: (request: FastifyRequest) => string;
  replies?: 'off' | 'log' | 'fail' | undefined;
  trimReplies?: boolean;
  uploadFolder?: string;
  /** What the application logs, one object a line. */
  log?: (line: string) => void;
}

/** An application of a contract whose errors show what they are: status, kind and sentence. */
export async function appWith(
  contract: FastifyPluginAsync<AnyOptions>,
  { log, ...options }: AnyOptions,
): Promise<FastifyInstance> {
  const app = fastify({
    forceCloseConnections: true,
    ...(log !== undefined && { logger: { level: 'warn', stream: { write: log } } }),
  });
  app.setErrorHandler<Error & { statusCode?: number; kind?: string }>((error, _request, reply) => {
    reply.code(error.statusCode ?? 500).send({ error: error.message, kind: error.kind });
  });
  await app.register(contract, options);
  return app;
}
