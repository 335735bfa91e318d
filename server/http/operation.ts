import { decorators } from '@branchline/runtime';
import type { FastifyRequest } from 'fastify';
import type { Authenticated } from '../accounts/principals.ts';

declare module 'fastify' {
  interface FastifySchema {
    operationId?: string;
  }
}

/** Returns the contract's operation of a request; undefined outside the contract. */
export function findOperation(request: FastifyRequest): string | undefined {
  return request.routeOptions.schema?.operationId;
}

/** Returns the workspace of an authenticated request; all other requests share one. */
export function requireWorkspaceId(request: FastifyRequest): string {
  const { serviceAccount, apiKey, session } = requirePrincipals(request);
  return serviceAccount?.workspaceId ?? apiKey?.workspaceId ?? session?.workspaceId ?? '';
}

/** Returns the principals of a request; none if the operation requires no credentials, or outside the contract. */
export function requirePrincipals(request: FastifyRequest): Partial<Authenticated> {
  // Fastify knows the decorator on routes of the contract alone, and throws on others.
  if (findOperation(request) === undefined) return {};
  return request.getDecorator<Partial<Authenticated> | null>(decorators.principals) ?? {};
}
