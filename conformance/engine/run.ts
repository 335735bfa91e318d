import PQueue from 'p-queue';
import type { ConformanceCase } from './case.ts';
import type { CaseResult } from './result.ts';
import { waitForAbort } from './schedule/wait-for-abort.ts';

/** Watches a run. */
export interface Observer {
  /** Called as each result comes, not in the order of the report. */
  onResult?: (result: CaseResult, done: number, total: number) => void;
  /** Ends the run where it is; what is under way then is not waited for. */
  signal?: AbortSignal;
  /** Whether a result ends the run, as the last one. */
  isLast?: (result: CaseResult) => boolean;
}

/** What a run that was watched came to. */
export interface ObservedRun {
  readonly startedAt: Date;
  /** In the order of the cases. */
  readonly results: CaseResult[];
  /** It was interrupted. */
  readonly isIncomplete: boolean;
  /** A result ended it. */
  readonly isStopped: boolean;
}

/** Runs cases, and tells each result as it comes. */
export async function observeRun<Case extends Pick<ConformanceCase, 'id' | 'when'>>(
  cases: readonly Case[],
  { onResult, isLast }: Observer,
  { run, concurrency, ended, stop }: { run: (one: Case) => Promise<CaseResult>; concurrency: number } & Ending,
): Promise<ObservedRun> {
  const startedAt = new Date();
  const results = new Map<string, CaseResult>();
  const runObserved = async (one: Case): Promise<CaseResult> => {
    const result = await run(one);
    if (ended.aborted) return result;
    results.set(result.id, result);
    onResult?.(result, results.size, cases.length);
    if (isLast?.(result) === true) stop.abort();
    return result;
  };
  await Array.fromAsync(runCases(cases, { run: runObserved, concurrency, signal: ended }));
  const isWhole = results.size === cases.length;
  return {
    startedAt,
    results: cases.flatMap(({ id }) => results.get(id) ?? []),
    isIncomplete: !isWhole && !stop.signal.aborted,
    isStopped: !isWhole && stop.signal.aborted,
  };
}

/** How a run is ended: from outside, or by its own result. */
export interface Ending {
  readonly stop: AbortController;
  readonly ended: AbortSignal;
}

/** @param signal - of whoever watches the run. */
export function createEnding(signal: AbortSignal | undefined): Ending {
  const stop = new AbortController();
  return { stop, ended: AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]) };
}

export interface RunOptions<Case> {
  /** Whatever goes wrong must be part of the result. */
  readonly run: (one: Case) => Promise<CaseResult>;
  /** Cases under way at once, in the phases that allow several. */
  readonly concurrency: number;
  /** Starts no more cases; those under way are not waited for. */
  readonly signal?: AbortSignal | undefined;
}

const PHASES = ['first', undefined, 'last'] as const;

/** Runs cases phase by phase, and yields the results in the order of the cases of each phase. */
export async function* runCases<Case extends Pick<ConformanceCase, 'when'>>(
  cases: readonly Case[],
  { run, concurrency, signal }: RunOptions<Case>,
): AsyncGenerator<CaseResult, void, undefined> {
  const queue = new PQueue();
  const aborted = waitForAbort(signal);
  try {
    for (const phase of PHASES) {
      queue.concurrency = phase === 'first' ? 1 : concurrency;
      const results = cases.filter(({ when }) => when === phase).map((one) => queue.add(() => run(one)));
      for (const result of results) {
        const ended = await Promise.race([aborted, result]);
        if (ended === undefined) return;
        yield ended;
      }
    }
  } finally {
    queue.clear();
  }
}
