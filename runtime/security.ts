import type { FastifyRequest } from 'fastify';
import type { OperationPlan } from './plan.ts';

/** Proves one security scheme; throws to refuse. */
export type Authenticator = (request: FastifyRequest, scopes: readonly string[]) => unknown;

type Authenticators = ReadonlyMap<string, Authenticator>;
type Requirement = OperationPlan['security'][number];
type Verified = Record<string, unknown>;

/**
 * Tries the alternatives in the order of the contract; in each, every scheme must succeed.
 *
 * @returns The principals of the first alternative that succeeds, by the name of their scheme.
 * @throws The error of a security handler: one that is no refusal (no `statusCode` below 500) at once; else, of the
 *   refusals, the one with the highest status, since 403 tells more than 401.
 */
export async function authenticate(
  alternatives: readonly Requirement[],
  authenticators: Authenticators,
  request: FastifyRequest,
): Promise<Verified> {
  const refusals: unknown[] = [];
  for (const requirement of alternatives) {
    try {
      return await verify(requirement, authenticators, request);
    } catch (error) {
      if (readStatus(error) >= 500) throw error;
      refusals.push(error);
    }
  }
  throw refusals.reduce((worst, refusal) => (readStatus(refusal) > readStatus(worst) ? refusal : worst));
}

async function verify(
  requirement: Requirement,
  authenticators: Authenticators,
  request: FastifyRequest,
): Promise<Verified> {
  const principals: Verified = {};
  for (const scheme in requirement) {
    principals[scheme] = await authenticators.get(scheme)?.(request, requirement[scheme] ?? []);
  }
  return principals;
}

function readStatus(error: unknown): number {
  const status: unknown = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500;
  return typeof status === 'number' ? status : 500;
}
