import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Contract, Operation } from '@branchline/contract';
import { ContractError, contractPlugin, type ContractOptions, contractSchemas, errorReply } from '@branchline/runtime';
import { planWithErrors } from '../targets/server/error-plan.ts';
import {
  createReplySamples,
  findResponse,
  makeExampleReply,
  type ExampleReply,
  type ReplySamples,
} from '../targets/server/example-reply.ts';
import { planReplies } from '../targets/server/replies-file.ts';
import { selectSchemas } from '../targets/server/schemas-file.ts';
import { allowOrigins } from './cross-origin.ts';
import { takeAnyCredential } from './credentials.ts';
import { tellStatus } from './error-example.ts';
import { readPreferences } from './preferences.ts';
import { Resources } from './resources.ts';

export interface MockOptions {
  /** What is sent by POST is kept in memory, and found by GET, PUT, PATCH and DELETE. Defaults to false. */
  stateful?: boolean | undefined;
}

/** What a handler gets, as far as a stub looks at it. */
interface Input {
  body: unknown;
  raw: { url: string; headers: { prefer?: string | string[] } };
}

/**
 * Serves a contract without any code of its own: requests are checked as a generated server checks them, and answered by the contract's
 * examples, or by what is made of its schemas.
 */
export async function buildMock(contract: Contract, { stateful = false }: MockOptions = {}): Promise<FastifyInstance> {
  const app = fastify({
    // As long as the headers that Node takes: what the contract says of a parameter bounds it.
    routerOptions: { maxParamLength: 16_384 },
    forceCloseConnections: true,
    frameworkErrors: answerError,
  });
  app.setErrorHandler(answerError);
  allowOrigins(app);
  const samples = createReplySamples(contract);
  const operations = contract.operations.map((operation) => planWithErrors(contract, operation, samples));
  const schemas = contractSchemas(selectSchemas(contract, operations));
  const plugin = contractPlugin<ContractOptions>(operations, schemas, async () => ({ default: planReplies(contract) }));
  await app.register(plugin, {
    handlers: makeHandlers(contract, samples, stateful ? new Resources(contract) : undefined),
    securityHandlers: Object.fromEntries(
      [...contract.securitySchemes].map(([name, scheme]) => [name, takeAnyCredential(scheme)]),
    ),
    replies: 'off',
  });
  return app;
}

function answerError(error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply): void {
  const status = error.statusCode ?? 500;
  const { type, headers, body } = errorReply(request, status, error.message);
  reply.code(status).type(type).headers(headers).send(body);
}

function makeHandlers(contract: Contract, samples: ReplySamples, resources: Resources | undefined): object {
  const make = (operation: Operation, { body, raw }: Input): ExampleReply => {
    const { code, example: name } = readPreferences(raw.headers.prefer);
    const answer = (status?: number): ExampleReply | undefined => {
      if (status !== undefined && !isFinal(status)) return undefined;
      const reply = makeExampleReply(contract, operation, samples, { status, example: name });
      const response = reply === undefined ? undefined : findResponse(operation, reply.status);
      if (reply === undefined || response === undefined) return reply;
      return tellStatus(contract, response, samples, { reply, isNamed: name !== undefined });
    };
    const reply = answer(code);
    if (reply === undefined) throw refusePreference(operation, code, name);
    if (resources === undefined || code !== undefined || name !== undefined) return reply;
    const [path = ''] = raw.url.split('?', 1);
    const outcome = resources.access({ operation, path, body, example: reply.body });
    if (outcome === undefined) return reply;
    if (outcome === 'missing') {
      const missing = answer(404);
      if (missing !== undefined) return missing;
      throw new ContractError('path', 'There is nothing at this path.');
    }
    const location = outcome.id === undefined ? {} : { location: `${path}/${encodeURIComponent(outcome.id)}` };
    const headers = { ...reply.headers, ...location };
    return 'body' in reply ? { ...reply, headers, body: outcome.body } : { ...reply, headers };
  };
  return Object.fromEntries(
    contract.operations.map((operation) => [operation.id, (input: Input) => make(operation, input)]),
  );
}

/** Whether a status ends an answer: whoever gets one below 200 waits for the next (RFC 9110, section 15.2). */
function isFinal(status: number): boolean {
  return status >= 200 && status < 600;
}

function refusePreference(
  { id, responses }: Operation,
  code: number | undefined,
  example: string | undefined,
): ContractError {
  if (example === undefined && code === undefined)
    return new ContractError('stub', `The operation "${id}" has no example in the contract, and none can be made.`, {
      'branchline-stub': id,
    });
  const wanted = [
    code === undefined ? [] : `the status ${code}`,
    example === undefined ? [] : `an example "${example}"`,
  ];
  const known = responses.map(({ status }) => status).join(', ');
  const sentence = `The operation "${id}" does not document ${wanted.flat().join(' with ')}; its statuses are: ${known}.`;
  return new ContractError('parameters', sentence);
}
