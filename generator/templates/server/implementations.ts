import type { FastifyRequest } from 'fastify';
import type { ContractError } from './contract-error.ts';
import type { Handlers, InvalidBodyHandlers, Principals, SecurityHandlers } from './handlers.ts';
import type { OperationPlan } from './plan.ts';
import type { AnyReply } from './replies.ts';
import type { Implementation, Input } from './route.ts';
import type { Authenticator } from './security.ts';

/** What the contract is wired to. */
export interface ContractOptions<P extends Principals = Principals> {
  /** One function an operation. */
  handlers: Handlers<P>;
  /** One function a security scheme. */
  securityHandlers: SecurityHandlers<P>;
  /** Operations that answer a bad body (400) with a reply of their own. */
  invalidBody?: InvalidBodyHandlers<P>;
  /**
   * Whom the work for an authenticated request counts for: a tenant, say. Requests then wait for their turn before their bodies
   * are read, and holders take turns, so that one of them can't keep all others waiting. Left out: they do not wait.
   */
  holderOf?: (request: FastifyRequest) => string;
}

/**
 * Any handler. The exact types say what a request holds, and it is checked for that before a handler gets it; methods
 * are compared loosely in their parameters, so all handlers are of this type.
 */
interface Loose {
  handler(input: Input): AnyReply | Promise<AnyReply>;
  bodyHandler(input: Input, problem: ContractError): AnyReply | Promise<AnyReply>;
  authenticator(request: FastifyRequest, scopes: readonly string[]): unknown;
}

type Named<T> = { [Name in keyof T]: T[Name] };

/**
 * Finds the hand-written functions of an operation.
 *
 * @throws Error where one is missing; with TypeScript that does not compile either.
 */
export function implementations(options: ContractOptions): (plan: OperationPlan) => Implementation {
  const handlers: Named<Handlers> = options.handlers;
  const bodyHandlers: Named<InvalidBodyHandlers> = options.invalidBody ?? {};
  const authenticators: Named<SecurityHandlers> = options.securityHandlers;
  const { holderOf } = options;
  return ({ id, security }) => ({
    holderOf,
    handle: named<Loose['handler']>(handlers, id, 'handler').bind(handlers),
    answerInvalidBody: optional<Loose['bodyHandler']>(bodyHandlers, id)?.bind(bodyHandlers),
    authenticators: new Map(
      security
        .flatMap(Object.keys)
        .map((scheme): [string, Authenticator] => [
          scheme,
          named<Loose['authenticator']>(authenticators, scheme, 'security handler').bind(authenticators),
        ]),
    ),
  });
}

function optional<T>(all: Readonly<Record<string, T | undefined>>, name: string): T | undefined {
  return all[name];
}

function named<T>(all: Readonly<Record<string, T | undefined>>, name: string, what: string): T {
  const found = all[name];
  if (found === undefined) throw new Error(`There is no ${what} "${name}"; the contract needs one.`);
  return found;
}
