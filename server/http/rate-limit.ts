import type { FastifyInstance, FastifyReply } from 'fastify';
import contract from '../generated/contract.json' with { type: 'json' };
import type { Authenticated } from '../accounts/principals.ts';
import { HttpError } from './http-error.ts';
import type { Metrics } from './metrics.ts';
import { requirePrincipals, findOperation } from './operation.ts';
import { type BucketKey, bucketCapacity, type Decision, type Rate, type RateLimiter } from '../storage/rate-limiter.ts';

/** What happens above the limit: `soft` serves with a warning, `hard` answers 429. */
export type RateLimitMode = 'soft' | 'hard';

export interface RateLimitOptions {
  limiter: RateLimiter;
  metrics: Metrics;
  /** Per service account and operation, unless the account has its own. */
  accountRate: Rate;
  accountMode: RateLimitMode;
  /** Per API key; always hard. */
  ingestRate: Rate;
}

/** Operations that share another operation's limit: the contract's `sharedWith`. */
const SHARED: ReadonlyMap<string, string> = new Map(
  Object.values<Record<string, unknown>>(contract.paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => {
      const { operationId, 'x-branchline-rate-limit': limit } = Object(operation);
      return limit?.sharedWith === undefined ? [] : [[operationId, limit.sharedWith]];
    }),
);

/** Per person and operation: no page needs more, and no person clicks faster. */
const SESSION_RATE: Rate = { perSecond: 20 };

interface Limit {
  key: BucketKey;
  rate: Rate;
  mode: RateLimitMode;
}

/**
 * Counts each authenticated request against its limit, after authentication and before the body is read. An account has a
 * bucket per operation (Branch Management HTTP API, Limits), and so has a person; an API key has one.
 */
export function registerRateLimit(app: FastifyInstance, options: RateLimitOptions): void {
  const { limiter, metrics } = options;
  app.addHook('preParsing', async (request, reply) => {
    const operation = findOperation(request);
    if (operation === undefined) return;
    const operationId = SHARED.get(operation) ?? operation;
    const limit = findLimit(requirePrincipals(request), operationId, options);
    if (limit === undefined) return;
    const decision = await limiter.take(limit.key, limit.rate);
    announce(reply, operationId, limit.rate, decision);
    if (decision.withinLimit) return;
    metrics.pastRateLimit.inc({ operation: operationId, outcome: limit.mode === 'hard' ? 'refused' : 'served' });
    if (limit.mode === 'hard') throw refusal(limit.rate, decision);
    reply.header(
      'ratelimit-warning',
      `This request was served although it is past the limit of ${inWords(limit.rate)}.`,
    );
  });
}

function findLimit(
  { serviceAccount, apiKey, session }: Partial<Authenticated>,
  operationId: string,
  options: RateLimitOptions,
): Limit | undefined {
  if (serviceAccount !== undefined) {
    return {
      key: { workspaceId: serviceAccount.workspaceId, holderId: serviceAccount.accountId, operation: operationId },
      rate: serviceAccount.ratePerSecond === null ? options.accountRate : { perSecond: serviceAccount.ratePerSecond },
      mode: serviceAccount.rateEnforcement ?? options.accountMode,
    };
  }
  if (session !== undefined) {
    const key = { workspaceId: session.workspaceId, holderId: session.userId, operation: operationId };
    return { key, rate: SESSION_RATE, mode: 'hard' };
  }
  if (apiKey === undefined) return undefined;
  const key = { workspaceId: apiKey.workspaceId, holderId: apiKey.keyId, operation: operationId };
  return { key, rate: options.ingestRate, mode: 'hard' };
}

/** The headers of the IETF draft on RateLimit headers: `"createBranch";q=1;w=1` and `"createBranch";r=0;t=1`. */
function announce(reply: FastifyReply, policy: string, rate: Rate, decision: Decision): void {
  const windowSeconds = rate.perSecond < 1 ? Math.ceil(1 / rate.perSecond) : 1;
  reply.header('ratelimit-policy', `"${policy}";q=${bucketCapacity(rate)};w=${windowSeconds}`);
  reply.header('ratelimit', `"${policy}";r=${decision.remaining};t=${decision.resetSeconds}`);
}

function refusal(rate: Rate, { resetSeconds }: Decision): HttpError {
  return new HttpError(
    429,
    `Too many requests. This operation takes ${inWords(rate)}; try again in ${count(resetSeconds, 'second')}.`,
    { 'retry-after': String(resetSeconds) },
  );
}

function inWords({ perSecond }: Rate): string {
  return `${count(perSecond, 'request')} per second`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
