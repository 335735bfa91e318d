import { decorators } from '@branchline/runtime';
import type { FastifyRequest } from 'fastify';
import type { Authenticated } from '../accounts/principals.ts';

declare module 'fastify' {
  interface FastifySchema {
    operationId?: string;
  }
}

/** The contract's operation that a request is for; undefined for what is not in the contract. */
export function findOperation(request: FastifyRequest): string | undefined {
  return request.routeOptions.schema?.operationId;
}

/** The workspace that an authenticated request belongs to; all others are one. */
export function requireWorkspaceId(request: FastifyRequest): string {
  const { serviceAccount, apiKey, session } = requirePrincipals(request);
  return serviceAccount?.workspaceId ?? apiKey?.workspaceId ?? session?.workspaceId ?? '';
}

/** Who a request to an operation was authenticated as; nobody where that takes no credentials. */
export function requirePrincipals(request: FastifyRequest): Partial<Authenticated> {
  return request.getDecorator<Partial<Authenticated> | null>(decorators.principals) ?? {};
}
