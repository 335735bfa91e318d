import { writeSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import type { Administration } from './accounts/administration.ts';
import { type FirstStart, firstStart } from './accounts/first-start.ts';
import { hasWorkspaces } from './accounts/workspaces.ts';
import type { Config } from './config.ts';
import { firstStartBanner, firstSteps } from './first-start-banner.ts';
import { isUnavailable } from './storage/transient-errors.ts';

const STANDARD_OUTPUT = 1;

/** A server that listens, and whom it greets. */
export interface Greeting {
  administration: Administration;
  config: Config;
  origin: string;
  metricsOrigin: string | undefined;
  /** Where people open the web application. */
  signInOrigin: string;
  logger: FastifyBaseLogger;
}

/**
 * Prints what a start has to say, and makes the demo workspace where that is wanted and the database is empty. The server goes on
 * where nobody can read that, or where the database has gone since; either is logged once.
 */
export async function greet(greeting: Greeting): Promise<void> {
  const { config, origin, metricsOrigin, logger } = greeting;
  const told = new Set<string>();
  const warn = (error: unknown): void => {
    const obstacle = describeObstacle(error);
    if (told.has(obstacle)) return;
    told.add(obstacle);
    logger.warn({ reason: String(error instanceof NotPrinted ? error.cause : error) }, obstacle);
  };
  try {
    const isNew = (await makeDemo(greeting)) || (await printFirstSteps(greeting));
    if (isNew && config.docs) print(`The contract, rendered: ${origin}/docs\n`);
  } catch (error) {
    warn(error);
  }
  const metrics = metricsOrigin === undefined ? '' : `Metrics: ${metricsOrigin}/metrics\n`;
  try {
    print(`${metrics}Branchline listens on ${origin} (Ctrl-C stops it).\n`);
  } catch (error) {
    warn(error);
  }
}

/** Of a database that has gone since: it may come back. */
function describeObstacle(error: unknown): string {
  if (error instanceof NotPrinted)
    return 'what the start prints could not be written to standard output; no demo was made, if one was due';
  if (isUnavailable(error))
    return 'the database could not be asked whether it is new; no demo was made, if one was due: start again for that';
  throw error;
}

/** Its secrets are printed before it is stored: nobody could ever use what was made without their being read. */
async function makeDemo({ administration, config, origin, signInOrigin }: Greeting): Promise<boolean> {
  if (!(config.demo ?? config.databaseUrl === undefined)) return false;
  const show = (made: FirstStart): void => print(firstStartBanner(origin, signInOrigin, made, Date.now()));
  return (await firstStart(administration, show)) !== undefined;
}

async function printFirstSteps({ administration, config, signInOrigin }: Greeting): Promise<boolean> {
  if (await hasWorkspaces(administration.storage)) return false;
  print(firstSteps(config, signInOrigin));
  return true;
}

/** Standard output has not taken all of a text. */
class NotPrinted extends Error {
  override readonly name = 'NotPrinted';
}

/** @throws NotPrinted */
function print(text: string): void {
  try {
    for (let left = Buffer.from(text); left.length > 0;) left = left.subarray(writeSync(STANDARD_OUTPUT, left));
  } catch (cause) {
    throw new NotPrinted('Standard output does not take what is written.', { cause });
  }
}
