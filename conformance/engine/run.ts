import PQueue from 'p-queue';
import type { ConformanceCase } from './case.ts';
import type { CaseResult } from './result.ts';
import { waitForAbort } from './schedule/wait-for-abort.ts';

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
