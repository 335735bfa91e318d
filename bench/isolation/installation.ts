import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { run } from '../programs.ts';
import { NODE_OPTIONS } from '../subjects/branchline.ts';
import { type RunningSubject, startProgram } from '../subjects/subject.ts';
import type { Checkout } from './checkouts.ts';
import type { Database, Engine } from './engines.ts';
import { newTenant, type Tenant, UNLIMITED } from './tenants.ts';

/** A server of a checkout with a database of its own and two tenants, all of it by the checkout's own programs. */
export interface Installation {
  database: Database;
  server: RunningSubject;
  victim: Tenant;
  attacker: Tenant;
  /** Runs one of the checkout's commands on the database, and gives back what it printed, read as JSON. */
  command: Command;
  /** Starts another server on the same database, which whoever started it stops. */
  startServer: () => Promise<RunningSubject>;
  remove: () => Promise<void>;
}

export type Command = <Result>(...parameters: string[]) => Promise<Result>;

/** @param limits flags of the server; left out: all are as they are by default */
export async function install(
  { root }: Checkout,
  engine: Engine,
  limits: readonly string[] = [],
): Promise<Installation> {
  const database = await engine.newDatabase();
  const program = join(root, 'bin/branchline.js');
  const flags = [...database.flags, '--hash-key', randomBytes(32).toString('hex')];
  const command: Command = async (...parameters) =>
    JSON.parse(await run(process.execPath, [program, ...parameters, ...flags, '--json']));
  // One after the other: a database that several programs open at once may be locked for some of them.
  await command('workspace', 'create', 'victim');
  await command('workspace', 'create', 'attacker');
  const victim = await newTenant('victim', command, ...UNLIMITED);
  const attacker = await newTenant('attacker', command);
  const parameters = ['serve', '--port', '0', ...limits, ...flags];
  const startServer = (): Promise<RunningSubject> => startProgram(program, parameters, database.folder, NODE_OPTIONS);
  const server = await startServer();
  return {
    database,
    server,
    victim,
    attacker,
    command,
    startServer,
    async remove() {
      await server.stop();
      await database.remove();
    },
  };
}
