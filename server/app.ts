import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { chooseTerms } from './accounts/account-terms.ts';
import type { Administration } from './accounts/administration.ts';
import { securityHandlers } from './accounts/authenticate.ts';
import type { OidcSettings } from './accounts/oidc/settings.ts';
import type { Passwords } from './accounts/passwords.ts';
import { CredentialUse, writeCredentialUse } from './accounts/credential-use.ts';
import { ProvenCredentials } from './accounts/proven-credentials.ts';
import { chooseShare } from './accounts/request-share.ts';
import { lookAgainAfterReadings } from './accounts/late-readings.ts';
import { lookAgainAfterLateBodies, stillStands } from './accounts/standing.ts';
import { branchInvalidBody } from './branches/invalid-body.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { BUILT_CONSOLE } from './console/files.ts';
import { registerConsole } from './console/routes.ts';
import contractDocument from './generated/contract.json' with { type: 'json' };
import { contract } from './generated/wiring.ts';
import { handlers, preparations } from './handlers.ts';
import { acceptFirst } from './http/accepting.ts';
import { compileTrusted, createAddressFinder } from './http/client-address.ts';
import { type CrowdedOut, Crowding } from './http/crowding.ts';
import { registerDocs } from './http/docs.ts';
import { answerExpectations } from './http/expect-continue.ts';
import { letConnectionsGiveWay } from './http/giving-way.ts';
import { type Readiness, registerHealth } from './http/health.ts';
import { letConnectionsEnd } from './http/last-replies.ts';
import { buildListener, registerRequestChecks } from './http/listener.ts';
import { measureRequests, type Metrics } from './http/metrics.ts';
import { findOperation, requireWorkspaceId } from './http/operation.ts';
import { boundReadings } from './http/reading-places.ts';
import { registerRateLimit } from './http/rate-limit.ts';
import { RequestTurns } from './http/request-turns.ts';
import { registerRequestLog } from './http/request-log.ts';
import { registerStrictTransport } from './http/strict-transport.ts';
import { boundUnreadAnswers } from './http/unread-answers.ts';
import type { Budget } from './inspector/budget.ts';
import { Ingest } from './inspector/ingest/ingest.ts';
import { registerBodyAdmission } from './inspector/ingest/body-admission.ts';
import { LiveBatches } from './inspector/live/live-batches.ts';
import { scheduleMaintenance } from './maintenance/schedule.ts';
import { workFor } from './storage/holder.ts';
import type { CertificateSource } from './tls/certificate.ts';
import { serveTlsToo } from './tls/same-port.ts';

export interface AppDependencies {
  administration: Administration;
  config: Pick<
    Config,
    | 'rateLimit'
    | 'rateLimitMode'
    | 'maxAccountRate'
    | 'ingestRateLimit'
    | 'shapeLimit'
    | 'exportSpool'
    | 'docs'
    | 'maxConnections'
    | 'trustedProxies'
  >;
  /** The workspaces' budget for new data. */
  budget: Budget;
  /** Host of the web application, with its port if needed; read once the server listens. */
  webHost: () => string;
  /** The origin of the web application, such as `http://localhost:3000`; read once the server listens. */
  webOrigin: () => string;
  /** The OIDC provider; undefined: not configured. */
  oidc: OidcSettings | undefined;
  /** The certificate for TLS on the same port. */
  certificate: CertificateSource;
  readiness: Readiness;
  metrics: Metrics;
  clock: Clock;
  /** The clock of the rate limit and the maintenance; left out: the one shared by all servers of the database. */
  sharedClock?: Clock | undefined;
  newId: () => string;
  /** How long a stop waits for one more request on each connection; in milliseconds. Defaults to 0. */
  lastRequestMs?: number | undefined;
  /** Hashes the passwords of people. Left out: with the usual bounds. */
  passwords?: Passwords | undefined;
  /** The folder of the built console. Defaults to where `npm run build:console` puts it. */
  consoleFolder?: string | undefined;
  logger: FastifyBaseLogger;
}

/** Assembles the server: the shared hooks, then the contract's operations and the routes for operators. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { administration, config, clock, sharedClock, logger, metrics } = dependencies;
  const { storage } = administration;
  const limiter = storage.rateLimiter(sharedClock);
  storage.lives.onLoss((workspaceId, events) => {
    metrics.lostEvents.inc(events);
    logger.warn({ workspaceId, events }, 'not counted: the database has lost what these events count');
  });
  const ingest = new Ingest({
    storage,
    clock,
    maxShapes: config.shapeLimit,
    budget: dependencies.budget,
    countPastBudget: (measure, events) => metrics.pastBudget.inc({ measure }, events),
  });
  const live = new LiveBatches({
    clock,
    messages: storage.messages,
    mayStill: (who) => stillStands(administration, who),
    changed: (way) => logger.info({ way }, 'batches of other servers'),
  });
  const { maxConnections, trustedProxies } = config;
  const proven = new ProvenCredentials();
  const isTrusted = compileTrusted(trustedProxies);
  const findAddress = createAddressFinder(isTrusted);
  const turns = { requests: new RequestTurns(), input: new RequestTurns() };
  const app = await buildListener({
    logger,
    maxConnections,
    trustedProxies,
    inTurns: { turns: turns.requests, shareOf: (request) => chooseShare(request, proven, findAddress) },
  });
  serveTlsToo(app.server, { certificate: dependencies.certificate, logger, turns: turns.input });
  const counted = (outcome: CrowdedOut): void => metrics.crowdedOut.inc({ outcome });
  const crowding = new Crowding({ logger, maxConnections, counted });
  letConnectionsGiveWay(app.server, { maxConnections, crowding });
  acceptFirst(app.server, { waiting: [turns.requests, turns.input], crowding, isTrusted });
  if (dependencies.certificate.isGiven) registerStrictTransport(app);
  boundUnreadAnswers(app, requireWorkspaceId);
  registerRequestLog(app);
  measureRequests(app, metrics);
  registerRequestChecks(app);
  registerHealth(app, storage, dependencies.readiness);
  if (config.docs) registerDocs(app, contractDocument);
  registerConsole(app, dependencies.consoleFolder ?? BUILT_CONSOLE);

  app.addHook('onRequest', (request, reply, done) => {
    // Caches on the way must not keep a workspace's data.
    if (findOperation(request) !== undefined) reply.header('cache-control', 'no-store');
    done();
  });
  lookAgainAfterLateBodies(app, administration);
  const lookAgain = lookAgainAfterReadings(app, administration);
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    workFor(requireWorkspaceId(request), done, () => request.raw.socket.writable);
  });
  const credentialUse = new CredentialUse({
    storage,
    clock,
    onFailure: (error) => app.log.error({ err: error }, 'the use of credentials could not be written'),
  });
  writeCredentialUse(app, credentialUse);
  registerRateLimit(app, {
    limiter,
    metrics,
    accountRate: { perSecond: config.rateLimit },
    accountMode: config.rateLimitMode,
    ingestRate: { perSecond: config.ingestRateLimit },
  });
  answerExpectations(app);
  registerBodyAdmission(app);
  await app.register(contract, {
    handlers: lookAgain(
      boundReadings(
        handlers({
          ...dependencies,
          storage,
          limiter,
          ingest,
          credentialUse,
          accountTerms: chooseTerms(config),
          live,
          exportSpool: config.exportSpool,
          countReceipt: (receipt, unknown) => metrics.countReceipt(receipt, unknown),
        }),
        preparations(administration, credentialUse),
      ),
    ),
    securityHandlers: securityHandlers(administration, proven, credentialUse),
    // Tests hold them to the contract.
    replies: 'off',
    invalidBody: branchInvalidBody({ storage, random: Math.random }),
    holderOf: requireWorkspaceId,
  });
  // Streams can last long and would delay the stop.
  app.addHook('preClose', async () => live.endAll());
  app.addHook('onClose', async () => {
    await ingest.close();
    await live.close();
  });
  scheduleMaintenance(app, { storage, limiter, clock, sharedClock });
  letConnectionsEnd(app, { idleMs: dependencies.lastRequestMs ?? 0 });
  return app;
}
