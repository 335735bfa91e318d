import { randomBytes } from 'node:crypto';
import type { DatabaseLocation } from '../../server/storage/open.ts';
import { branchline, type Ended, type ServerProcess, startProcess } from './command-line.ts';

/** One installation on PostgreSQL: its servers and its commands share the database and the hash key. */
export interface PostgresInstallation {
  /** @param databaseUrl another database, with the same hash key */
  start: (args?: readonly string[], databaseUrl?: string) => Promise<ServerProcess>;
  /** Runs `branchline` with these arguments. */
  run: (...args: string[]) => Promise<Ended>;
}

export function installOn({ databaseUrl = '' }: DatabaseLocation): PostgresInstallation {
  const env = {
    BRANCHLINE_DEMO: 'true',
    DATABASE_URL: databaseUrl,
    BRANCHLINE_HASH_KEY: randomBytes(32).toString('hex'),
  };
  return {
    start: (args = [], url = databaseUrl) =>
      startProcess('/nowhere', ['--drain-delay', '0', ...args], { ...env, DATABASE_URL: url }),
    run: (...args) => branchline(args, env),
  };
}

/** The credentials that a first start prints. */
export interface PrintedCredentials {
  authorization: string;
  apiKey: string;
}

/** @returns undefined where a server printed none, since the start was not the first */
export function printedCredentials(server: ServerProcess): PrintedCredentials | undefined {
  const [, account] = /-u '([^']+)'/.exec(server.output()) ?? [];
  const [, apiKey] = /api-key: ([\w.-]+)/.exec(server.output()) ?? [];
  if (account === undefined || apiKey === undefined) return undefined;
  return { authorization: `Basic ${Buffer.from(account).toString('base64')}`, apiKey };
}
