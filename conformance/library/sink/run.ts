import { randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import type { CaseResult, Report } from '../../engine/result.ts';
import { waitForAbort } from '../../engine/schedule/wait-for-abort.ts';
import { type Selection, isSelected } from '../../engine/selection.ts';
import { CouldNotRun } from '../../could-not-run.ts';
import { TAKEN } from './answer.ts';
import { type Clock, REAL_CLOCK } from './clock.ts';
import type { LibraryCase } from './cases/case.ts';
import { libraryCases } from './cases/index.ts';
import { DriverFailed, type StartDriver } from './driver.ts';
import type { Phase } from './phase.ts';
import { phases } from './phases/index.ts';
import type { Recording } from './recording.ts';
import { findLevel, toReport } from './report.ts';
import { type Means, PhaseSkipped, PhaseRun } from './phase-run.ts';
import { fail, skip } from './outcome.ts';
import { readVectors, toVectorCase, tryVectors, type Vector } from '../vector-run.ts';

export interface SinkOptions {
  readonly startDriver: StartDriver;
  /** What the report calls the library. */
  readonly target: string;
  readonly profile: boolean;
  /** Which cases are tried. Left out: all of them. */
  readonly selection?: Selection | undefined;
  /** Defaults to the real one. */
  readonly clock?: Clock;
  /** Apps under way at once. Defaults to {@link PARALLEL}. */
  readonly parallel?: number | undefined;
  /** How long a try after the first is waited for, in seconds. Defaults to {@link RETRY_WAIT_SECONDS}. */
  readonly retryWaitSeconds?: number | undefined;
  /** Called when a phase has waited for the library for a while. */
  readonly onWait?: (phase: string, what: string, seconds: number) => void;
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
  const { retryWaitSeconds, onWait, selection } = options;
  const means: Means = { startDriver, clock, apiKey, retryWaitSeconds, onWait };
  const selected = selectCases(selection);
  const chosenVectors = selectVectors(selection);
  const due = phasesFor(selected);
  const total = due.length + (chosenVectors.length > 0 ? 1 : 0);
  await preflight(means);
  const recordings: Recording[] = [];
  const results: CaseResult[] = [];
  let done = 0;
  const tell = (name: string): void => options.onPhase?.(name, (done += 1), total);
  const record = async (phase: Phase): Promise<void> => {
    const recording = await runPhase(phase, means, options.signal);
    if (recording === undefined) return;
    recordings.push(recording);
    tell(phase.name);
  };
  const extract = async (): Promise<void> => {
    for await (const result of tryVectors(chosenVectors, means)) {
      if (options.signal?.aborted === true) return;
      results.push(result);
    }
    if (chosenVectors.length > 0) tell('vectors');
  };
  const queue = new PQueue({ concurrency: parallel });
  await queue.addAll([...due.map((phase) => () => record(phase)), extract]);
  const vectors = { selected: chosenVectors.map(toVectorCase), results };
  const isIncomplete = done < total;
  return toReport(selected, {
    target,
    profile,
    selection,
    startedAt,
    recordings,
    vectors,
    keys: [apiKey],
    isIncomplete,
  });
}

export function selectCases(selection: Selection = {}): LibraryCase[] {
  return libraryCases.filter((one) => isSelected({ ...one, level: findLevel(one) }, selection));
}

/** Those of this project. */
export function selectVectors(selection: Selection = {}): Vector[] {
  return readVectors().filter((vector) => isSelected(toVectorCase(vector), selection));
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
