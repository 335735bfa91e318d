import type { FastifyInstance, FastifyReply } from 'fastify';
import contract from '../generated/contract.json' with { type: 'json' };
import type { Authenticated } from '../accounts/principals.ts';
import type { Clock } from '../clock.ts';
import { HttpError } from './http-error.ts';
import type { Metrics } from './metrics.ts';
import { authenticatedAs, operationOf } from './operation.ts';
import { capacityOf, type Decision, type Rate, TokenBuckets } from './token-bucket.ts';

/** What happens past the limit: `soft` serves with a warning, `hard` answers 429. */
export type RateLimitMode = 'soft' | 'hard';

export interface RateLimitOptions {
  clock: Clock;
  metrics: Metrics;
  /** For each service account and operation, unless the account has its own. */
  accountRate: Rate;
  accountMode: RateLimitMode;
  /** For each API key; always hard. */
  ingestRate: Rate;
}

/** Operations that share the limit of another: the contract's `sharedWith`. */
const SHARED: ReadonlyMap<string, string> = new Map(
  Object.values<Record<string, unknown>>(contract.paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => {
      const { operationId, 'x-branchline-rate-limit': limit } = Object(operation);
      return limit?.sharedWith === undefined ? [] : [[operationId, limit.sharedWith]];
    }),
);

interface Limit {
  key: string;
  rate: Rate;
  mode: RateLimitMode;
}

/**
 * Counts each authenticated request against its limit, after authentication and before the body is read. An account has a
 * bucket for each operation (Branch Management HTTP API, Limits); an API key has one.
 */
export function registerRateLimit(app: FastifyInstance, options: RateLimitOptions): void {
  const buckets = new TokenBuckets(options.clock);
  app.addHook('preParsing', (request, reply, payload, done) => {
    const operation = operationOf(request);
    if (operation === undefined) return done(null, payload);
    const operationId = SHARED.get(operation) ?? operation;
    const limit = limitOf(authenticatedAs(request), operationId, options);
    if (limit === undefined) return done(null, payload);
    const decision = buckets.take(limit.key, limit.rate);
    announce(reply, operationId, limit.rate, decision);
    if (decision.withinLimit) return done(null, payload);
    options.metrics.pastRateLimit.inc({
      operation: operationId,
      outcome: limit.mode === 'hard' ? 'refused' : 'served',
    });
    if (limit.mode === 'hard') return done(refusal(limit.rate, decision));
    reply.header(
      'ratelimit-warning',
      `This request was served although it is past the limit of ${inWords(limit.rate)}.`,
    );
    done(null, payload);
  });
}

function limitOf(
  { serviceAccount, apiKey }: Partial<Authenticated>,
  operationId: string,
  options: RateLimitOptions,
): Limit | undefined {
  if (serviceAccount !== undefined) {
    return {
      key: `${serviceAccount.workspaceId} ${serviceAccount.accountId} ${operationId}`,
      rate: serviceAccount.ratePerSecond === null ? options.accountRate : { perSecond: serviceAccount.ratePerSecond },
      mode: serviceAccount.rateEnforcement ?? options.accountMode,
    };
  }
  if (apiKey === undefined) return undefined;
  return { key: `${apiKey.workspaceId} ${apiKey.keyId}`, rate: options.ingestRate, mode: 'hard' };
}

/** The headers of the IETF draft on RateLimit headers: `"createBranch";q=1;w=1` and `"createBranch";r=0;t=1`. */
function announce(reply: FastifyReply, policy: string, rate: Rate, decision: Decision): void {
  const windowSeconds = rate.perSecond < 1 ? Math.ceil(1 / rate.perSecond) : 1;
  reply.header('ratelimit-policy', `"${policy}";q=${capacityOf(rate)};w=${windowSeconds}`);
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
