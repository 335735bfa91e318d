import { explainClause } from './explain.ts';
import { formatDuration, showProgress } from './progress.ts';
import { type GivenForReports, finishReport, prepareReporting } from './reporting.ts';
import { type GivenToSelect, NOTHING_LEFT, selectionFrom } from './selection.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { formatCaseCount } from '../engine/report/standing.ts';
import type { CaseResult, Report } from '../engine/result.ts';
import { isSelected, type Selection } from '../engine/selection.ts';
import { runByHand } from '../library/sink/by-hand.ts';
import type { LibraryCase } from '../library/sink/cases/case.ts';
import { libraryCases } from '../library/sink/cases/index.ts';
import { driverCommand } from '../library/sink/driver.ts';
import { parsePlan } from '../library/sink/plan.ts';
import { findLevel } from '../library/sink/report.ts';
import { estimateSeconds, runSink, selectCases, selectVectors } from '../library/sink/run.ts';
import { MAX_BACKOFF_SECONDS, RETRY_WAIT_SECONDS } from '../library/sink/timing.ts';
import { listVectorCases, runVectors } from '../library/vector-run.ts';

/** The options of `branchline conformance sink`, as they were written. */
export interface GivenToSink extends GivenForReports, GivenToSelect {
  readonly driver?: string;
  readonly parallel?: string;
  readonly retryWait?: string;
  readonly port?: string;
  readonly seconds?: string;
  readonly plan?: string;
  readonly canary?: readonly string[];
  readonly profile?: string;
  readonly list?: boolean;
  readonly explain?: string;
}

/** The options of `branchline conformance vectors`, as they were written. */
export interface GivenToVectors extends GivenForReports, GivenToSelect {
  readonly driver: string;
  readonly vectors?: string;
}

/**
 * What `branchline conformance sink` does.
 *
 * @returns the exit code.
 * @throws CouldNotRun with a sentence for the user.
 */
export async function sink(given: GivenToSink): Promise<number> {
  if (given.explain !== undefined) return shown(explainClause(given.explain));
  const all = [...libraryCases.map((one) => ({ ...one, level: findLevel(one) })), ...listVectorCases()];
  const selection = selectionFrom(given, all);
  if (given.list === true)
    return shown(
      all
        .filter((one) => isSelected(one, selection ?? {}))
        .map(formatCase)
        .join('\n'),
    );
  const selected = selectCases(selection);
  const count = selected.length + (given.driver === undefined ? 0 : selectVectors(selection).length);
  if (count === 0) throw new CouldNotRun(NOTHING_LEFT);
  const profile = given.profile !== undefined;
  const reporting = await prepareReporting(given, all);
  const choice = { selection, selected, count, profile };
  const run = given.driver === undefined ? byHand(given, choice) : runDriven(given.driver, given, choice);
  const report = await run;
  const exitCode = await finishReport(report, reporting);
  // What is under way would hold the process up.
  if (report.incomplete === true) process.exit(exitCode);
  return exitCode;
}

/**
 * What `branchline conformance vectors` does.
 *
 * @returns the exit code.
 * @throws CouldNotRun with a sentence for the user.
 */
export async function vectors(given: GivenToVectors): Promise<number> {
  const { driver, vectors: folder } = given;
  const cases = listVectorCases(folder);
  const selection = selectionFrom(given, cases);
  const reporting = await prepareReporting(given, cases);
  const onResult = showProgress(process.stderr);
  return finishReport(
    await runVectors({ startDriver: driverCommand(driver), target: driver, folder, selection, onResult }),
    reporting,
  );
}

const MAX_PARALLEL = 64;
/** The longest delay of a timer. */
const MAX_SECONDS = 2_147_483;

/** What a run of the sink judges. */
interface Choice {
  readonly selection: Selection | undefined;
  readonly selected: readonly LibraryCase[];
  /** How many cases there are, the vectors too. */
  readonly count: number;
  readonly profile: boolean;
}

async function runDriven(driver: string, given: GivenToSink, choice: Choice): Promise<Report> {
  const { selection, selected, count, profile } = choice;
  const byHandOnly = (['port', 'seconds', 'plan', 'canary'] as const).find((name) => given[name] !== undefined);
  if (byHandOnly !== undefined)
    throw new CouldNotRun(`--${byHandOnly} is for a run without --driver, which scripts everything itself.`);
  const parallel = given.parallel === undefined ? undefined : parseNumber(given.parallel, '--parallel', MAX_PARALLEL);
  const retryWaitSeconds =
    given.retryWait === undefined ? undefined : parseNumber(given.retryWait, '--retry-wait', RETRY_WAIT_SECONDS);
  const seconds = formatDuration(estimateSeconds(selected, parallel));
  const bound = formatDuration(retryWaitSeconds ?? MAX_BACKOFF_SECONDS);
  note(
    `${formatCaseCount(count)}, in real time: about ${seconds}; longer for a library that waits longer, up to ${bound} before it tries again.`,
  );
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
  return runSink({
    startDriver: driverCommand(driver),
    target: driver,
    profile,
    selection,
    parallel,
    retryWaitSeconds,
    onWait: (phase, what, most) => note(`${phase}: waiting for ${what}, for ${formatDuration(most)} at most`),
    signal: interrupted.signal,
    onPhase: (name, done, total) => note(`${done} of ${total} phases: ${name}`),
  });
}

async function byHand(given: GivenToSink, choice: Choice): Promise<Report> {
  if (given.parallel !== undefined)
    throw new CouldNotRun('--parallel is for a run with --driver: it says how many apps it starts at once.');
  if (given.retryWait !== undefined)
    throw new CouldNotRun('--retry-wait is for a run with --driver; --seconds says how long one without listens.');
  const seconds = given.seconds === undefined ? undefined : parseNumber(given.seconds, '--seconds', MAX_SECONDS);
  const report = await runByHand({
    ...choice,
    plan: given.plan === undefined ? [] : parsePlan(given.plan),
    canaries: given.canary ?? [],
    port: given.port === undefined ? undefined : parseNumber(given.port, '--port', 65_535),
    onListening: (endpoint) => {
      note(`The library’s endpoint is ${endpoint}, with any API key.`);
      note(
        seconds === undefined
          ? 'Ctrl+C ends the run and gives the report.'
          : `The run ends after ${formatDuration(seconds)}, or with Ctrl+C.`,
      );
    },
    onRequest: note,
    onFull: () => note('So many requests have come that the run ends here.'),
    until: waitForInterrupt(seconds),
  });
  if (report.requests > 0) return report;
  throw new CouldNotRun(
    'Nothing was sent. Give the endpoint to the library, and use the app until it sends something.',
  );
}

/** Until Ctrl+C, or for some time. */
async function waitForInterrupt(seconds: number | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve());
  // The timer must not keep the process alive after the run.
  if (seconds !== undefined) setTimeout(resolve, seconds * 1_000).unref();
  await promise;
}

function shown(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

function formatCase({ level, id, title }: Pick<CaseResult, 'level' | 'id' | 'title'>): string {
  return `${level.padEnd(8)}  ${id}  ${title}`;
}

function parseNumber(text: string, option: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= most) return number;
  throw new CouldNotRun(`${option} must be a whole number from 1 to ${most}, not ${JSON.stringify(text)}.`);
}
