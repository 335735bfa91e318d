import { randomBytes } from 'node:crypto';
import type { Report } from '../../engine/result.ts';
import { CouldNotRun } from '../../could-not-run.ts';
import { TAKEN } from './answer.ts';
import { type Clock, REAL_CLOCK } from './clock.ts';
import type { LibraryCase } from './cases/case.ts';
import { libraryCases } from './cases/index.ts';
import { DriverFailed, type StartDriver } from './driver.ts';
import type { Phase } from './phase.ts';
import { phases } from './phases/index.ts';
import type { Recording } from './recording.ts';
import { reportOf } from './report.ts';
import { type Means, PhaseSkipped, Stage } from './phase-run.ts';
import { failed, skipped } from './outcome.ts';

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
  const selected = selectedCases(options.only);
  const due = phasesFor(selected);
  await checkAdmission(means);
  const left = due.values();
  const recordings: Recording[] = [];
  const worker = async (): Promise<void> => {
    for (const phase of left) {
      const recording = await recorded(phase, means, options.signal);
      if (recording === undefined) return;
      recordings.push(recording);
      options.onPhase?.(phase.name, recordings.length, due.length);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  const isIncomplete = recordings.length < due.length;
  return reportOf(selected, { target, profile, startedAt, recordings, keys: [apiKey], isIncomplete });
}

export function selectedCases(only: string | undefined): LibraryCase[] {
  if (only === undefined) return [...libraryCases];
  return libraryCases.filter(({ id, clauses }) => [id, ...clauses].some((one) => one.includes(only)));
}

/** How long a run takes with a library that tries again soon. */
export function estimatedSeconds(selected: readonly LibraryCase[], parallel = PARALLEL): number {
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
async function checkAdmission(means: Means): Promise<void> {
  const stage = new Stage('admission', 'prod', means);
  try {
    await stage.open(() => TAKEN);
    await stage.start();
  } catch (error) {
    throw error instanceof PhaseSkipped ? new CouldNotRun(error.message) : error;
  } finally {
    await stage.close();
  }
}

/** @returns nothing for a phase that was interrupted. */
async function recorded(phase: Phase, means: Means, signal: AbortSignal | undefined): Promise<Recording | undefined> {
  const isAborted = (): boolean => signal?.aborted === true;
  if (isAborted()) return undefined;
  const stage = new Stage(phase.name, phase.environment, means);
  const { recording } = stage;
  try {
    await stage.open(phase.script?.(stage) ?? (() => TAKEN));
    await unlessAborted(phase.run(stage), signal);
  } catch (error) {
    if (error instanceof PhaseSkipped) recording.ending = skipped(error.message);
    else if (error instanceof DriverFailed) recording.ending = failed(error.message);
    else throw error;
  } finally {
    if (isAborted()) await stage.kill();
    await stage.close();
    recording.milliseconds = recording.now();
  }
  return isAborted() ? undefined : recording;
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal?.addEventListener('abort', () => resolve(), { once: true });
  if (signal?.aborted === true) resolve();
  await Promise.race([work, promise]);
}
