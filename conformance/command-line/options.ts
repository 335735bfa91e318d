import { CouldNotRun } from '../could-not-run.ts';
import type { Selection } from '../engine/selection.ts';
import type { Account } from '../service/account.ts';
import type { SuiteOptions } from '../service/options.ts';
import { parseAccount, readAccountFile } from './accounts.ts';
import { type GivenForConnections, connectionFrom } from './connection.ts';
import { parseHeaders } from './headers.ts';
import type { GivenForReports } from './reporting.ts';
import { seedByCommand } from './seed-command.ts';
import type { GivenToSelect } from './selection.ts';

/** The options of the command line, as they were written. */
export interface Given extends GivenForConnections, GivenForReports, GivenToSelect {
  readonly baseUrl?: string;
  readonly workspace?: string;
  readonly account?: readonly string[];
  readonly accountFile?: string;
  readonly secondWorkspace?: string;
  readonly secondWorkspaceAccount?: string;
  readonly apiKey?: string;
  readonly header?: readonly string[];
  readonly seedCommand?: string;
  readonly seed?: string;
  readonly profile?: string;
  readonly rate?: string;
  readonly timeout?: string;
  readonly settle?: string;
  readonly failFast?: boolean;
  readonly list?: boolean;
  readonly explain?: string;
}

/** A page of an export often has a thousand rows, or two. A paced run has no time for so many branches. */
const MORE_THAN_A_PAGE = 2_100;

/** Environment variables keep secrets off the command line. */
type Environment = Readonly<Record<string, string | undefined>>;

/** @throws CouldNotRun with a sentence that says which option is missing or wrong. */
export function suiteOptions(
  given: Given,
  selection: Selection | undefined,
  environment: Environment = process.env,
): SuiteOptions {
  return {
    baseUrl: baseUrlFrom(given),
    workspace: given.workspace ?? missing('--workspace'),
    accounts: accountsFrom(given, environment),
    secondWorkspace: secondWorkspaceFrom(given, environment),
    apiKey: given.apiKey ?? environment['BRANCHLINE_API_KEY'],
    seed: given.seedCommand === undefined ? undefined : seedByCommand(given.seedCommand),
    headers: parseHeaders(given.header),
    connection: connectionFrom(given),
    chance: given.seed === undefined ? undefined : wholeNumber(given.seed, '--seed'),
    profile: given.profile !== undefined,
    ...(given.rate === 'none'
      ? { exportRows: MORE_THAN_A_PAGE }
      : { rate: positive(given.rate ?? '1', '--rate', ' or "none"') }),
    timeoutMs: positive(given.timeout ?? '10', '--timeout') * 1_000,
    settleMs: given.settle === '0' ? 0 : positive(given.settle ?? '5', '--settle') * 1_000,
    selection,
  };
}

export function missing(option: string): never {
  throw new CouldNotRun(`${option} is needed. --help shows how it is used.`);
}

function baseUrlFrom({ baseUrl: text, workspace }: Given): string {
  const url = parseBaseUrl(text);
  if (`${new URL(url).pathname}/`.includes(`/workspaces/${workspace}/`)) {
    const before = url.slice(0, url.indexOf('/workspaces/'));
    throw new CouldNotRun(`--base-url is only what comes before /workspaces/; give ${before}.`);
  }
  return url;
}

/** @throws CouldNotRun for what is no base URL. */
export function parseBaseUrl(text: string | undefined): string {
  if (text === undefined) return missing('--base-url');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    // What holds a password is not repeated.
    const instead = text.includes('@') ? '' : `, not ${JSON.stringify(text)}`;
    throw new CouldNotRun(`--base-url must be an http or https URL${instead}.`);
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new CouldNotRun(
      '--base-url must have no query, no fragment and no credentials; these have options of their own.',
    );
  }
  return url.href;
}

function accountsFrom({ account = [], accountFile }: Given, environment: Environment): [Account, ...Account[]] {
  const given = account.map((text) => parseAccount(text, '--account'));
  const filed = accountFile === undefined ? [] : readAccountFile(accountFile);
  const named = ['BRANCHLINE_ACCOUNT', 'BRANCHLINE_SECOND_ACCOUNT'].flatMap((name) =>
    environment[name] === undefined ? [] : [parseAccount(environment[name], name)],
  );
  const [first, ...others] = [given, filed, named].find(({ length }) => length > 0) ?? [];
  if (first === undefined) return missing('--account name:secret (or --account-file, or BRANCHLINE_ACCOUNT)');
  if (others.length > 1) throw new CouldNotRun('At most two accounts can be given.');
  if (others[0]?.name === first.name) throw new CouldNotRun('The two accounts must be different ones.');
  return [first, ...others];
}

function secondWorkspaceFrom(given: Given, environment: Environment): SuiteOptions['secondWorkspace'] {
  const text = given.secondWorkspaceAccount ?? environment['BRANCHLINE_SECOND_WORKSPACE_ACCOUNT'];
  if (given.secondWorkspace === undefined) {
    if (given.secondWorkspaceAccount !== undefined) return missing('--second-workspace');
    return undefined;
  }
  if (given.secondWorkspace === given.workspace) {
    throw new CouldNotRun('--second-workspace must be another workspace than --workspace.');
  }
  if (text === undefined) return missing('--second-workspace-account');
  return { workspace: given.secondWorkspace, account: parseAccount(text, '--second-workspace-account') };
}

export function positive(text: string, option: string, orElse = ''): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number) && number > 0) return number;
  throw new CouldNotRun(`${option} must be a number above 0${orElse}, not ${JSON.stringify(text)}.`);
}

export function wholeNumber(text: string, option: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw new CouldNotRun(`${option} must be a whole number from 0 on, not ${JSON.stringify(text)}.`);
}
