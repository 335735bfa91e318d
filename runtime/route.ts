import type { FastifyRequest, preValidationAsyncHookHandler, preValidationHookHandler, RouteOptions } from 'fastify';
import { createBodyReader } from './body.ts';
import { checkBodyHeaders } from './body-headers.ts';
import { ContractError } from './contract-error.ts';
import type { ContractSchemas } from './contract-schemas.ts';
import { createParameterReader, type Parameters } from './parameters.ts';
import type { BodyPlan, OperationPlan } from './plan.ts';
import { createReplySender, type AnyReply } from './replies.ts';
import type { ReplyCheck } from './reply-checks.ts';
import { authenticate, type Authenticator } from './security.ts';
import { takeFirstTurn } from './turns.ts';

/** What a handler gets; the generated `handlers.ts` has its exact type for each operation. */
export interface Input extends Parameters {
  principals: Readonly<Record<string, unknown>>;
  body: unknown;
  /** The media type of the body. */
  type?: string | undefined;
  raw: FastifyRequest;
}

/** The hand-written side of an operation. A request gets here only once it has been checked for what the types say. */
export interface Implementation {
  handle: (input: Input) => AnyReply | Promise<AnyReply>;
  answerInvalidBody: ((input: Input, problem: ContractError) => AnyReply | Promise<AnyReply>) | undefined;
  /** Whom the work for a request counts for; left out: all are one, and only what takes long waits for its turn. */
  holderOf: ((request: FastifyRequest) => string) | undefined;
  /** Where files that are sent are kept until the reply has been sent. */
  uploadFolder: string | undefined;
  /** By security scheme. */
  authenticators: ReadonlyMap<string, Authenticator>;
}

const nobody = Object.freeze({});

/** The request decorators that carry what one step has found to the next. */
export const decorators = { principals: 'contractPrincipals', input: 'contractInput' };

/**
 * The Fastify route of an operation. Security comes first, then the body's headers, before the body is read; then the
 * parameters, then the body, then the handler.
 *
 * What reads and checks a request is made, and its schemas compiled, with the first that comes: that they compile was made sure when they
 * were generated, and a server with a thousand operations need not wait for all of them before it answers one.
 */
export function makeRoute(
  plan: OperationPlan,
  schemas: ContractSchemas,
  implementation: Implementation,
  replyCheck: ReplyCheck | undefined,
): RouteOptions {
  const send = createReplySender(plan, replyCheck);
  const { handle, holderOf } = implementation;
  return {
    method: plan.method,
    url: toRouterUrl(plan.route),
    config: { contractResponses: plan.responses },
    ...makeAdmissionHooks(plan, implementation),
    preValidation: [
      ...(holderOf === undefined ? [] : [createTurnHook(holderOf)]),
      plan.body === undefined
        ? createParametersHook(plan, schemas)
        : createBodyHook(plan, plan.body, schemas, implementation, send),
    ],
    handler: (request, reply) => {
      const answer = handle(request.getDecorator<Input>(decorators.input));
      return isPromise(answer) ? answer.then((settled) => send(request, reply, settled)) : send(request, reply, answer);
    },
  };
}

/** A route as Fastify writes it: `/a/{p0}` → `/a/:p0`. */
export function toRouterUrl(route: string): string {
  return route.replaceAll(/\{(\w+)\}/g, ':$1');
}

function isPromise<T extends object>(value: T | Promise<T>): value is Promise<T> {
  return 'then' in value;
}

/** Hooks that are the application's come between the two: a rate limit, say, that knows who asks. */
function makeAdmissionHooks(
  { security, body }: OperationPlan,
  { authenticators }: Implementation,
): Pick<RouteOptions, 'onRequest' | 'preParsing'> {
  return {
    ...(security.length > 0 && {
      onRequest: async (request: FastifyRequest) => {
        request.setDecorator(decorators.principals, await authenticate(security, authenticators, request));
      },
    }),
    preParsing: async ({ raw }: FastifyRequest) => {
      if (body !== undefined) checkBodyHeaders(body, raw);
      // No body is read, so nothing is made of what its type is; Fastify itself would refuse one that it can't read.
      else delete raw.headers['content-type'];
    },
  };
}

function createParametersHook(plan: OperationPlan, schemas: ContractSchemas): preValidationHookHandler {
  let read: ReturnType<typeof createParameterReader> | undefined;
  return (request, _reply, done) => {
    read ??= createParameterReader(plan, schemas);
    request.setDecorator(decorators.input, makeInput(request, read(request)));
    done();
  };
}

/** Whoever has left by the time that it is their turn is not served. */
function createTurnHook(holderOf: NonNullable<Implementation['holderOf']>): preValidationAsyncHookHandler {
  return async (request, reply) => {
    await takeFirstTurn(holderOf(request), () => !hasLeft(request));
    if (hasLeft(request)) reply.hijack();
  };
}

/** An answer would cost as much as any, and a thousand who leave at once would keep others waiting for theirs. */
function hasLeft({ raw }: FastifyRequest): boolean {
  return raw.socket.destroyed;
}

function createBodyHook(
  plan: OperationPlan,
  body: BodyPlan,
  schemas: ContractSchemas,
  { answerInvalidBody, holderOf, uploadFolder }: Implementation,
  send: ReturnType<typeof createReplySender>,
): preValidationAsyncHookHandler {
  let readParameters: ReturnType<typeof createParameterReader> | undefined;
  let readBody: ReturnType<typeof createBodyReader> | undefined;
  return async (request, reply) => {
    readParameters ??= createParameterReader(plan, schemas);
    readBody ??= createBodyReader(body, schemas, { holderOf, uploadFolder });
    const input = makeInput(request, readParameters(request));
    request.setDecorator(decorators.input, input);
    try {
      await readBody(request, input, reply);
    } catch (problem) {
      if (hasLeft(request)) return reply.hijack();
      if (answerInvalidBody === undefined || !(problem instanceof ContractError) || problem.kind !== 'body')
        throw problem;
      return reply.send(await send(request, reply, await answerInvalidBody(input, problem)));
    }
  };
}

function makeInput(request: FastifyRequest, { params, query, headers, cookies }: Parameters): Input {
  const principals = request.getDecorator<Input['principals'] | null>(decorators.principals) ?? nobody;
  return { params, query, headers, cookies, principals, body: undefined, type: undefined, raw: request };
}
