import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyRequest } from 'fastify';
import { plan } from '../generate.ts';
import { apply } from '../output.ts';
import { serverTarget } from '../targets/server.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** A folder outside of the repository that finds the repository's packages; gone after the test. */
export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'branchline-generator-'));
  await symlink(join(repository, 'node_modules'), join(path, 'node_modules'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** Generates a server, scaffold and all. */
export async function generateServer(spec: string, out: string): Promise<void> {
  const { changes } = await plan({ spec, out, targets: [serverTarget] });
  await apply(out, changes);
}

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
}

interface Wiring {
  contract: FastifyPluginAsync<AnyOptions>;
  checkItem(name: string, item: unknown): { item: unknown } | { problem: string };
}

export async function importWiring(out: string): Promise<Wiring> {
  const wiring: Wiring = await import(join(out, 'server/generated/wiring.ts'));
  return wiring;
}

/** An application whose errors show what they are: status, kind and sentence. */
export async function appWith({ contract }: Wiring, options: AnyOptions): Promise<FastifyInstance> {
  const app = fastify({ forceCloseConnections: true });
  app.setErrorHandler<Error & { statusCode?: number; kind?: string }>((error, _request, reply) => {
    reply.code(error.statusCode ?? 500).send({ error: error.message, kind: error.kind });
  });
  await app.register(contract, options);
  return app;
}
