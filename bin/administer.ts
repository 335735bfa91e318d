import type { Command } from 'commander';
import {
  type Administration,
  type AdministrationConfig,
  explainFailure,
  openAdministration,
  type OpenAdministrationOptions,
  WorkspaceGone,
} from '@branchline/server';
import type { OutputOptions } from './print.ts';
import { addSettings } from './settings.ts';

/** The options of every administration command. */
export type AdministerOptions = AdministrationConfig & OutputOptions;

/** Adds the database settings and `--json` to a command. */
export function administers(command: Command): Command {
  return addSettings(command, ['database', 'databaseUrl', 'databasePasswordFile', 'hashKey', 'hashKeyFile']).option(
    '--json',
    'print JSON, for scripts',
  );
}

/** Opens the database, which must exist unless `create` is set, for the duration of `work`. */
export async function administer(
  config: AdministrationConfig,
  work: (open: Administration) => Promise<void>,
  { create = false, rekeying }: OpenAdministrationOptions = {},
): Promise<void> {
  await explainFailure(config.database, async () => {
    const administration = await openAdministration(config, { create, rekeying, onWait: tell });
    for (const notice of administration.storage.notices) tell(notice);
    try {
      await work(administration);
    } catch (error) {
      // This error names the mistake.
      if (error instanceof WorkspaceGone) await administration.workspaces.require(error.workspaceId);
      throw error;
    } finally {
      await administration.storage.close();
    }
  });
}

function tell(line: string): void {
  process.stderr.write(`branchline: ${line}\n`);
}

/** The number of entries per page. */
const PAGE_SIZE = 1_000;

/** Reads all pages of a list. */
export async function readAll<Entry, Place>(
  read: (after: Place | undefined, limit: number) => Promise<Entry[]>,
  placeOf: (entry: Entry) => Place,
): Promise<Entry[]> {
  const all: Entry[] = [];
  let page: Entry[];
  do {
    const last = all.at(-1);
    page = await read(last && placeOf(last), PAGE_SIZE);
    all.push(...page);
  } while (page.length === PAGE_SIZE);
  return all;
}

/** Formats a time for people: to the second, UTC. */
export function readableTime(milliseconds: number): string {
  return new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}

export function readableTimeOrNever(milliseconds: number | null): string {
  return milliseconds === null ? 'never' : readableTime(milliseconds);
}

/** Formats a time as the API does. */
export function timeForScripts(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** Formats the output for scripts, with times as in the API. */
export function forScripts<Listed extends { createdAt: number }>(
  listed: Listed,
): Omit<Listed, 'createdAt'> & { createdAt: string } {
  return { ...listed, createdAt: new Date(listed.createdAt).toISOString() };
}
