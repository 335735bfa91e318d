import { once } from 'node:events';
import { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { v7 as uuid } from 'uuid';
import { type Administration, openAdministration } from './accounts/administration.ts';
import { firstStart } from './accounts/first-start.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import type { Readiness } from './http/health.ts';
import { lockForServing } from './storage/sqlite/server-lock.ts';
import { UserError } from './user-error.ts';
import { welcome } from './welcome.ts';

/**
 * Runs the server until SIGINT or SIGTERM, or until its database is lost, then drains it. Sets the exit code to 1 when the
 * database was lost or requests had to be cut off.
 *
 * @throws UserError when it can't start: another server has the database, the port is taken
 */
export async function serve(config: Config): Promise<void> {
  // PostgreSQL takes any number of servers.
  const unlock = config.databaseUrl === undefined ? lockForServing(config.database) : () => {};
  try {
    const administration = await openAdministration(config, {
      connections: config.databaseConnections,
      exportConnections: config.exportConnections,
    });
    try {
      await serveFrom(administration, config);
    } finally {
      await administration.storage.close();
    }
  } finally {
    unlock();
  }
}

async function serveFrom(administration: Administration, config: Config): Promise<void> {
  const readiness: Readiness = { stopping: false };
  const logger = pino({ level: config.logLevel }, pino.destination(2));
  const app: FastifyInstance = await buildApp({
    administration,
    config,
    webHost: () => config.webHost ?? listeningAt(app, config),
    readiness,
    clock: Date.now,
    newId: uuid,
    logger,
  });
  app.addHook('preClose', () => letConnectionsEnd(app));
  const stopSignal = Promise.race([
    once(process, 'SIGTERM').then(() => 'SIGTERM'),
    once(process, 'SIGINT').then(() => 'SIGINT'),
    administration.storage.lost,
  ]);
  const origin = await listen(app, config);
  await greet(administration, origin);

  const signal = await stopSignal;
  if (signal instanceof Error) {
    logger.fatal(signal.message);
    process.exitCode = 1;
  } else logger.info({ signal }, 'stopping');
  readiness.stopping = true;
  if (signal !== 'SIGINT') await delay(config.drainDelay * 1_000);
  await drain(app, config.drainTimeout * 1_000);
}

/** Where a browser on this machine finds the server. */
function listeningAt(app: FastifyInstance, { host, port }: Config): string {
  const [address] = app.addresses();
  const listening = typeof address === 'object' ? address.port : port;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `${name.includes(':') ? `[${name}]` : name}:${listening}`;
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port, listenTextResolver: (address) => `listening on ${address}` });
  } catch (error) {
    await app.close();
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new UserError(`Port ${port} of ${host} is in use. Stop what uses it, or name another with --port.`);
    }
    if (code === 'EADDRNOTAVAIL' || code === 'EACCES' || code === 'ENOTFOUND') {
      throw new UserError(
        `The server can't listen on port ${port} of ${host} (${code}). Name others with --host and --port.`,
      );
    }
    throw error;
  }
}

async function greet(administration: Administration, origin: string): Promise<void> {
  const made = await firstStart(administration);
  if (made !== undefined) process.stdout.write(welcome(origin, made, Date.now()));
  process.stdout.write(`Branchline listens on ${origin} (Ctrl-C stops it).\n`);
}

/** Lets the requests under way end. Those that take longer than the bound are cut off. */
async function drain(app: FastifyInstance, boundMs: number): Promise<void> {
  const bound = setTimeout(() => {
    process.exitCode = 1;
    app.server.closeAllConnections();
  }, boundMs);
  await app.close();
  clearTimeout(bound);
}

/** How long a client's connection may stay without a request before it is closed. */
const LAST_REQUEST_MS = 1_000;

/**
 * Closing a connection while a request is on its way to it would lose that. So no new ones are taken, and each gets one more
 * reply, which tells the client to open no further request on it; only those that stay idle are closed.
 */
async function letConnectionsEnd({ server }: FastifyInstance): Promise<void> {
  // Unlike that of an HTTP server, this leaves idle connections open.
  Server.prototype.close.call(server);
  const ended = new Promise((resolve) => server.once('close', resolve));
  await Promise.race([ended, delay(LAST_REQUEST_MS, undefined, { ref: false })]);
}
