import type { FastifyRequest } from 'fastify';
import type { ContractError } from './contract-error.ts';
import type { OperationPlan } from './plan.ts';
import type { AnyReply } from './replies.ts';
import type { ReplyOptions } from './reply-checks.ts';
import type { Implementation, Input } from './route.ts';
import type { Authenticator } from './security.ts';

/** What the contract is wired to. The generated `wiring.ts` says what these functions are for its contract. */
export interface ContractOptions<
  Handlers extends object = object,
  SecurityHandlers extends object = object,
  InvalidBodyHandlers extends object = object,
> extends ReplyOptions {
  /** One function an operation. */
  handlers: Handlers;
  /** One function a security scheme. */
  securityHandlers: SecurityHandlers;
  /** Operations that answer a bad body (400) with a reply of their own. */
  invalidBody?: InvalidBodyHandlers;
  /**
   * Whom the work for an authenticated request counts for: a tenant, say. Requests then wait for their turn before their bodies
   * are read, and holders take turns, so that one of them can't keep all others waiting. Left out: they do not wait.
   */
  holderOf?: (request: FastifyRequest) => string;
  /** An existing folder, where the files of `multipart/form-data` are kept until the reply has been sent. Defaults to the system's. */
  uploadFolder?: string | undefined;
}

/** The exact types say what a request holds, and it is checked for that before a handler gets it. */
type Handler = (input: Input) => AnyReply | Promise<AnyReply>;
type BodyHandler = (input: Input, problem: ContractError) => AnyReply | Promise<AnyReply>;

/**
 * Finds the hand-written functions of an operation.
 *
 * @throws Error where one is missing; with TypeScript that does not compile either.
 */
export function findImplementations(options: ContractOptions): (plan: OperationPlan) => Implementation {
  const { handlers, securityHandlers, invalidBody = {}, holderOf, uploadFolder } = options;
  return ({ id, security }) => ({
    holderOf,
    uploadFolder,
    handle: requireFunction<Handler>(handlers, id, 'handler'),
    answerInvalidBody: findFunction<BodyHandler>(invalidBody, id),
    authenticators: new Map(
      security
        .flatMap(Object.keys)
        .map((scheme): [string, Authenticator] => [
          scheme,
          requireFunction<Authenticator>(securityHandlers, scheme, 'security handler'),
        ]),
    ),
  });
}

type AnyFunction = (...parameters: never[]) => unknown;

/** A function is called as the method of its object that it may be. */
function findFunction<T>(all: object, name: string): T | undefined {
  const found = (all as Readonly<Record<string, AnyFunction | undefined>>)[name];
  return found?.bind(all) as T | undefined;
}

function requireFunction<T>(all: object, name: string, what: string): T {
  const found = findFunction<T>(all, name);
  if (found === undefined) throw new Error(`There is no ${what} "${name}"; the contract needs one.`);
  return found;
}
