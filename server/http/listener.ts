import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { readForwardedHeaders } from './client-address.ts';
import { errorHandler } from './errors.ts';
import { registerFramingCheck } from './framing.ts';
import { boundHeaderLines } from './header-lines.ts';
import { registerHostCheck } from './host-header.ts';
import { registerVersionCheck } from './http-version.ts';
import { Outage, watchForTheEnd } from './outage.ts';
import { boundPipelining } from './pipelining.ts';
import { replyInOurWay, replyToUnreadable, watchReplies } from './raw-replies.ts';
import { boundBodies, BoundedRequest } from './request-body.ts';
import { REQUEST_ID_HEADER, requestId } from './request-id.ts';
import { leadToRoute, registerTargetCheck } from './request-target.ts';
import { serveInTurns, type ServedInTurns } from './request-turns.ts';
import { registerSecurityHeaders } from './security-headers.ts';

/** How long what clients send may take; in milliseconds. */
export interface ArrivalBounds {
  /** A request, from its first byte to the last of its body. */
  request: number;
  /** A connection on which nothing happens. */
  idle: number;
  /** How often it is looked for requests that take too long. */
  lookEvery: number;
  /** The rest of a body after its request was answered. */
  rest: number;
}

/** A request has less time than an idle connection, so that one whose body stays away is answered too. */
const ARRIVAL: ArrivalBounds = { request: 30_000, idle: 60_000, lookEvery: 10_000, rest: 10_000 };

export interface ListenerOptions {
  logger: FastifyBaseLogger;
  /** How many connections may be open at a time; those beyond it are closed as they come. */
  maxConnections: number;
  /** Whose `X-Forwarded-For` is believed, as Fastify's `trustProxy` has it. Defaults to nobody's. */
  trustedProxies?: string;
  /** The turns in which requests are served. Left out: as they come. */
  inTurns?: ServedInTurns;
  /** Which connections are closed when the listener closes: those without a request, or all. Defaults to the first. */
  closes?: 'idle' | 'all';
  /** Defaults to those that stand in docs/operating.md. */
  arrival?: ArrivalBounds;
}

/** What every port of the server has in common: bounds, errors of one form, request ids, security headers. */
export async function buildListener({
  logger,
  maxConnections,
  trustedProxies,
  inTurns,
  closes = 'idle',
  arrival = ARRIVAL,
}: ListenerOptions): Promise<FastifyInstance> {
  const outage = new Outage(logger);
  const replyWithError = errorHandler(outage);
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestId,
    trustProxy: trustedProxies ?? false,
    // No longer than the headers that Node takes: an id is unknown, never too long.
    // Operations read what they know from the URL itself. An object of all names that a URL holds takes twenty times as much memory.
    routerOptions: { maxParamLength: 16_384, querystringParser: () => ({}) },
    requestTimeout: arrival.request,
    connectionTimeout: arrival.idle,
    forceCloseConnections: closes === 'all' ? true : 'idle',
    // What arrives on a connection that is still open while the server stops is served like all else.
    return503OnClosing: false,
    rewriteUrl: leadToRoute,
    http: {
      requireHostHeader: false,
      connectionsCheckingInterval: arrival.lookEvery,
      IncomingMessage: BoundedRequest,
    },
    frameworkErrors: replyWithError,
    clientErrorHandler: replyToUnreadable,
  });
  routeAllMethods(app);
  // Node takes the shorter of the two for headers and the longer for the whole request, whichever is which.
  app.server.headersTimeout = arrival.request;
  app.server.maxConnections = maxConnections;
  if (inTurns !== undefined) serveInTurns(app.server, inTurns);
  // Around the turns: what waits for them is unanswered too.
  boundPipelining(app.server);
  app.setErrorHandler(replyWithError);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
  readForwardedHeaders(app);
  await registerSecurityHeaders(app);
  replyInOurWay(app);
  watchReplies(app);
  boundBodies(app.server, arrival.rest);
  watchForTheEnd(app, outage);
  return app;
}

/** To every path: to one that has no such method Fastify would answer that there is no such path. */
function routeAllMethods(app: FastifyInstance): void {
  // Imported as a module it would load all that it exports lazily too, an HTTP client among it, and slow the start.
  const { METHODS } = process.getBuiltinModule('node:http');
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
}

/** Refuses what Node reads as a request although RFC 9112 does not allow it. Comes after the hooks that count and log. */
export function registerRequestChecks(app: FastifyInstance): void {
  boundHeaderLines(app);
  registerVersionCheck(app);
  registerTargetCheck(app);
  registerHostCheck(app);
  registerFramingCheck(app);
}
