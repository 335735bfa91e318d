import { printWarnings } from '@branchline/command-line';
import { type Contract, loadContract, printProblems, SpecError, explainUnusable } from '@branchline/contract';
import { CouldNotRun } from '../could-not-run.ts';
import { type ContractTestOptions, prepareContractTest } from '../derived/contract-test.ts';
import { readEarlierReport } from '../engine/report/earlier.ts';
import { formatCaseCount } from '../engine/report/standing.ts';
import { isSelected } from '../engine/selection.ts';
import { prepareByCommand } from './case-command.ts';
import type { Derive } from './contract-test.ts';
import { type GivenForConnections, connectionFrom } from './connection.ts';
import { readCredentials } from './credentials.ts';
import { parseHeaders } from './headers.ts';
import { parseBaseUrl, positive, wholeNumber } from './options.ts';
import { readPathValues } from './path-values.ts';
import type { GivenForReports } from './reporting.ts';
import { type GivenToSelect, selectionFrom } from './selection.ts';
import { listCases, print, superviseRun } from './supervise-run.ts';

/** The options of the command line, as they were written. */
export interface GivenForContract extends GivenForConnections, GivenForReports, GivenToSelect {
  readonly spec: string;
  readonly strict?: boolean;
  readonly baseUrl?: string;
  readonly credential?: readonly string[];
  readonly credentialFile?: string;
  readonly path?: readonly string[];
  readonly pathFile?: string;
  readonly beforeCase?: string;
  readonly maxExamples: string;
  readonly header?: readonly string[];
  readonly seed?: string;
  readonly rate: string;
  readonly concurrency: string;
  readonly timeout: string;
  readonly failFast?: boolean;
  readonly list?: boolean;
}

/**
 * What `branchline contract test` does.
 *
 * @returns the exit code.
 * @throws CouldNotRun, or SpecError, with a sentence for the user.
 */
export function testContract(given: GivenForContract, derive: Derive): Promise<number> {
  return explainUnusable(given.spec, () => loadAndTest(given, derive));
}

async function loadAndTest(given: GivenForContract, derive: Derive): Promise<number> {
  const contract = await load(given);
  const options = optionsFrom(given, contract);
  const { credentials, variables } = readCredentials(given, contract.securitySchemes, process.env);
  const isForList = given.list === true && given.baseUrl === undefined;
  const target = { baseUrl: isForList ? 'http://localhost' : parseBaseUrl(given.baseUrl), credentials };
  const cases = await derive(contract);
  const test = await prepareContractTest({ contract, cases }, target, { ...options, variables });
  const selection = selectionFrom(given, test.cases);
  const selected = test.cases.filter((one) => isSelected(one, selection ?? {}));
  if (given.list === true) return print(listCases(selected));
  if (selected.length === 0) throw new CouldNotRun('There is no case to try; --list shows those that there are.');
  return superviseRun(given, {
    cases: test.cases,
    plan: `${formatCaseCount(selected.length)} from ${contract.source}.`,
    profile: false,
    run: (observer) => test.run(selection, observer),
  });
}

async function load({ spec, strict }: GivenForContract): Promise<Contract> {
  const contract = await loadContract(spec, { strict });
  if (strict === true && contract.warnings.length > 0) throw new SpecError(spec, contract.warnings);
  printWarnings(printProblems(spec, contract.warnings));
  if (contract.operations.length === 0) throw new CouldNotRun(`${spec} has no operation to try.`);
  return contract;
}

function optionsFrom(given: GivenForContract, { operations }: Contract): ContractTestOptions {
  const { rate, beforeCase } = given;
  const seed = findSeed(given);
  const names = operations.flatMap(({ parameters }) =>
    parameters.flatMap(({ value }) => (value.in === 'path' ? [value.name] : [])),
  );
  return {
    path: readPathValues(given, new Set(names)),
    maxExamples: wholeNumber(given.maxExamples, '--max-examples'),
    concurrency: Math.max(1, wholeNumber(given.concurrency, '--concurrency')),
    timeLimitMs: positive(given.timeout, '--timeout') * 1_000,
    headers: parseHeaders(given.header),
    connection: connectionFrom(given),
    ...(rate === 'none' ? {} : { paceMs: 1_000 / positive(rate, '--rate', ' or "none"') }),
    ...(beforeCase === undefined ? {} : { before: prepareByCommand(beforeCase) }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** What failed at random fails again only with the seed of the run in which it did. */
function findSeed({ seed, rerunFailed }: GivenForContract): number | undefined {
  if (seed !== undefined) return wholeNumber(seed, '--seed');
  return rerunFailed === undefined ? undefined : readEarlierReport(rerunFailed, '--rerun-failed').seed;
}
