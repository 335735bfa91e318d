import { randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import type { Report } from '../../engine/result.ts';
import { waitForAbort } from '../../engine/schedule/wait-for-abort.ts';
import { CouldNotRun } from '../../could-not-run.ts';
import { TAKEN } from './answer.ts';
import { type Clock, REAL_CLOCK } from './clock.ts';
import type { LibraryCase } from './cases/case.ts';
import { libraryCases } from './cases/index.ts';
import { DriverFailed, type StartDriver } from './driver.ts';
import type { Phase } from './phase.ts';
import { phases } from './phases/index.ts';
import type { Recording } from './recording.ts';
import { toReport } from './report.ts';
import { type Means, PhaseSkipped, PhaseRun } from './phase-run.ts';
import { fail, skip } from './outcome.ts';

export interface SinkOptions {
  readonly startDriver: StartDriver;
  /** What the report calls the library. */
  readonly target: string;
  readonly profile: boolean;
  /** Only cases whose id, or one of whose clauses' ids, contains this. */
  readonly only?: string | undefined;
  /** Defaults to the real one. */
  readonly clock?: Clock;
  /** Apps under way at once. Defaults to {@link PARALLEL}. */
  readonly parallel?: number | undefined;
  /** Called as each phase ends. */
  readonly onPhase?: (name: string, done: number, total: number) => void;
  /** Ends the run where it is. */
  readonly signal?: AbortSignal;
}

/** Most of what apps do is wait. */
export const PARALLEL = 8;

/**
 * Has a library send, under good conditions and bad, and judges what arrives.
 *
 * @throws CouldNotRun where the driver can't start the library.
 */
export async function runSink(options: SinkOptions): Promise<Report> {
  const { target, profile, startDriver, clock = REAL_CLOCK, parallel = PARALLEL } = options;
  const startedAt = new Date();
  const apiKey = `key-${randomBytes(16).toString('hex')}`;
  const means: Means = { startDriver, clock, apiKey };
  const selected = selectCases(options.only);
  const due = phasesFor(selected);
  await preflight(means);
  const recordings: Recording[] = [];
  const queue = new PQueue({ concurrency: parallel });
  const record = async (phase: Phase): Promise<void> => {
    const recording = await runPhase(phase, means, options.signal);
    if (recording === undefined) return;
    recordings.push(recording);
    options.onPhase?.(phase.name, recordings.length, due.length);
  };
  await queue.addAll(due.map((phase) => () => record(phase)));
  const isIncomplete = recordings.length < due.length;
  return toReport(selected, { target, profile, startedAt, recordings, keys: [apiKey], isIncomplete });
}

export function selectCases(only: string | undefined): LibraryCase[] {
  if (only === undefined) return [...libraryCases];
  return libraryCases.filter(({ id, clauses }) => [id, ...clauses].some((one) => one.includes(only)));
}

/** How long a run takes with a library that tries again soon. */
export function estimateSeconds(selected: readonly LibraryCase[], parallel = PARALLEL): number {
  const due = phasesFor(selected).map(({ seconds }) => seconds);
  const sum = due.reduce((all, seconds) => all + seconds, 0);
  return Math.ceil(Math.max(0, ...due, sum / parallel));
}

/** What looks at all requests needs them all. */
function phasesFor(selected: readonly LibraryCase[]): Phase[] {
  const isAll = selected.some(({ phase }) => phase === undefined);
  return phases.filter(({ name }) => isAll || selected.some(({ phase }) => phase === name));
}

/** A driver that can't start the library would fail in every phase. */
async function preflight(means: Means): Promise<void> {
  const phaseRun = new PhaseRun('admission', 'prod', means);
  try {
    await phaseRun.open(() => TAKEN);
    await phaseRun.start();
  } catch (error) {
    throw error instanceof PhaseSkipped ? new CouldNotRun(error.message) : error;
  } finally {
    await phaseRun.close();
  }
}

/** @returns nothing for a phase that was interrupted. */
async function runPhase(phase: Phase, means: Means, signal: AbortSignal | undefined): Promise<Recording | undefined> {
  const isAborted = (): boolean => signal?.aborted === true;
  if (isAborted()) return undefined;
  const phaseRun = new PhaseRun(phase.name, phase.environment, means);
  const { recording } = phaseRun;
  try {
    await phaseRun.open(phase.script?.(phaseRun) ?? (() => TAKEN));
    await Promise.race([phase.run(phaseRun), waitForAbort(signal)]);
  } catch (error) {
    if (error instanceof PhaseSkipped) recording.ending = skip(error.message);
    else if (error instanceof DriverFailed) recording.ending = fail(error.message);
    else throw error;
  } finally {
    if (isAborted()) await phaseRun.kill();
    await phaseRun.close();
    recording.milliseconds = recording.now();
  }
  return isAborted() ? undefined : recording;
}
