import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { CaseResult, Report } from '../engine/result.ts';
import { parseAccount } from '../command-line/accounts.ts';
import { faults } from './faults/index.ts';
import type { Tried } from './try-suite.ts';
import { variants } from './variants/index.ts';

/** A program that starts a service for each of its faults and variants, and says of each where it listens. */
export interface Servers {
  readonly command: readonly [string, ...string[]];
  /** How many services it starts. */
  readonly count: number;
}

/** That in plain Node. */
export const NODE_SERVERS: Servers = {
  command: [process.execPath, fileURLToPath(new URL('server.ts', import.meta.url)), '--every'],
  count: faults.length + variants.length,
};

/** Starts the services in a process of their own, so that they and the suite share no processor. */
export function useServices({ command: [program, ...args], count }: Servers): (name: string) => Tried {
  const services = new Map<string, Tried>();
  let child: ChildProcess;
  beforeAll(async () => {
    child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (child.stdout === null) throw new Error('The services say nothing.');
    for await (const line of createInterface({ input: child.stdout })) {
      const { name, ...service } = parseService(line);
      services.set(name, service);
      if (services.size === count) return;
    }
  });
  afterAll(async () => {
    child.kill();
    await once(child, 'exit');
  });
  return (name) => services.get(name) ?? failToFind(name);
}

function parseService(line: string): Tried & { name: string } {
  const said: { name: string; baseUrl: string; accounts: { workspaceId: string; account: string }[] } =
    JSON.parse(line);
  const accounts = said.accounts.map(({ workspaceId, account }) => ({ workspaceId, ...parseAccount(account, '') }));
  return { name: said.name, origin: said.baseUrl, accounts };
}

function failToFind(name: string): never {
  throw new Error(`No service said that it is "${name}".`);
}

/** Of required cases. */
export function failuresIn({ results }: Report): CaseResult[] {
  return results.filter(({ level, state }) => level === 'required' && state === 'fail');
}

/** Of the suite itself. */
export function errorsIn({ results }: Report): string[] {
  return results.flatMap(({ id, state, reason }) => (state === 'error' ? [`${id}: ${reason}`] : []));
}

/** A lawful choice may leave nothing to try; whatever else is left out hides something. */
const LAWFUL_REASON =
  /is not shown|is refused with 400 by now|Before the run the workspace had no branch|closes connections/;

/** Whether a case may be skipped for this reason. */
export function isLawful(reason: string): boolean {
  return LAWFUL_REASON.test(reason);
}

/** Of required cases, though the run was given everything. */
export function unexpectedSkipsIn({ results }: Report): string[] {
  const skipped = results.filter(({ level, state }) => level === 'required' && state === 'skip');
  return skipped.flatMap(({ id, reason = '' }) => (isLawful(reason) ? [] : [`${id}: ${reason}`]));
}
