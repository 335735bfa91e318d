import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Administration } from './accounts/administration.ts';
import { securityHandlers } from './accounts/authenticate.ts';
import { branchInvalidBody } from './branches/invalid-body.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import contractDocument from './generated/contract.json' with { type: 'json' };
import { contract } from './generated/wiring.ts';
import { handlers } from './handlers.ts';
import { registerDocs } from './http/docs.ts';
import { replyWithError } from './http/errors.ts';
import { type Readiness, registerHealth } from './http/health.ts';
import { Metrics, registerMetrics } from './http/metrics.ts';
import { replyInOurWay, replyToUnreadable, watchReplies } from './http/raw-replies.ts';
import { registerHostCheck } from './http/host-header.ts';
import { registerRateLimit } from './http/rate-limit.ts';
import { registerRequestLog } from './http/request-log.ts';
import { registerSecurityHeaders } from './http/security-headers.ts';
import { REQUEST_ID_HEADER, requestId } from './http/request-id.ts';
import { Ingest } from './inspector/ingest.ts';
import { scheduleMaintenance } from './maintenance/schedule.ts';

export interface AppDependencies {
  administration: Administration;
  config: Pick<Config, 'rateLimit' | 'rateLimitMode' | 'ingestRateLimit' | 'shapeLimit'>;
  /** Host, with port if need be, of the web application; asked for once the server listens. */
  webHost: () => string;
  readiness: Readiness;
  clock: Clock;
  /** Whose time the rate limit and the maintenance go by; left out: that which all servers of the database share. */
  sharedClock?: Clock | undefined;
  newId: () => string;
  logger: FastifyBaseLogger;
}

/** Puts the server together: what every route shares, then the contract's operations and what serves operators. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { administration, config, clock, sharedClock, logger } = dependencies;
  const { storage } = administration;
  const limiter = storage.rateLimiter(sharedClock);
  const metrics = new Metrics();
  const ingest = new Ingest({ storage, clock, maxShapes: config.shapeLimit });
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestId,
    // No longer than the headers that Node takes: an id is unknown, never too long.
    routerOptions: { maxParamLength: 16_384 },
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    forceCloseConnections: 'idle',
    // What arrives on a connection that is still open while the server stops is served like all else.
    return503OnClosing: false,
    http: { requireHostHeader: false },
    frameworkErrors: replyWithError,
    clientErrorHandler: replyToUnreadable,
  });
  app.setErrorHandler(replyWithError);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
  await registerSecurityHeaders(app);
  replyInOurWay(app);
  watchReplies(app);
  registerRequestLog(app);
  registerMetrics(app, metrics);
  registerHostCheck(app);
  registerHealth(app, storage, dependencies.readiness);
  await registerDocs(app, contractDocument);

  registerRateLimit(app, {
    limiter,
    metrics,
    accountRate: { perSecond: config.rateLimit },
    accountMode: config.rateLimitMode,
    ingestRate: { perSecond: config.ingestRateLimit },
  });
  await app.register(contract, {
    handlers: handlers({ ...dependencies, storage, ingest, countReceipt: (receipt) => metrics.countReceipt(receipt) }),
    securityHandlers: securityHandlers(administration.accounts, administration.keys),
    invalidBody: branchInvalidBody({ storage, random: Math.random }),
  });
  app.addHook('onClose', () => ingest.close());
  scheduleMaintenance(app, { storage, ingest, limiter, clock, sharedClock });
  return app;
}
