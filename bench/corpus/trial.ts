import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What is to be generated, and where. */
export interface Job {
  spec: string;
  out: string;
}

export type Outcome =
  'started' | 'refused' | 'crashed' | 'did not start' | 'did not compile' | 'took too long' | 'took too much memory';

/** What became of a document. */
export interface Answer {
  outcome: Outcome;
  /** Why it is not started; empty otherwise. */
  reason: string;
  warnings: number;
  /** That it took to generate. */
  milliseconds: number;
}

/** Tries documents one after the other. */
export interface Trials {
  try: (job: Job) => Promise<Answer>;
  end: () => void;
}

export interface Limits {
  seconds: number;
  megabytes: number;
}

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

/** A process imports each server that it has started, and keeps it: after so many a new one goes on. */
const MOST_OF_A_PROCESS = 25;

export function startTrials({ seconds, megabytes }: Limits): Trials {
  let worker: ChildProcess | undefined;
  let tried = 0;
  const end = (): void => {
    worker?.kill('SIGKILL');
    worker = undefined;
  };
  const answerOf = async (job: Job): Promise<Answer> => {
    if (tried >= MOST_OF_A_PROCESS) end();
    if (worker === undefined) tried = 0;
    tried += 1;
    const child = (worker ??= fork(WORKER, {
      execArgv: [`--max-old-space-size=${megabytes}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    }));
    const begun = performance.now();
    child.send(job);
    const over = AbortSignal.timeout(seconds * 1_000);
    const stop = new AbortController();
    const signal = AbortSignal.any([over, stop.signal]);
    try {
      return await Promise.race([
        once(child, 'message', { signal }).then(([answer]: Answer[]) => answer as Answer),
        once(child, 'exit', { signal }).then((): Answer => failed('took too much memory', begun)),
      ]);
    } catch (error) {
      if (!over.aborted) throw error;
      return failed('took too long', begun);
    } finally {
      stop.abort();
    }
  };
  return {
    async try(job) {
      const answer = await answerOf(job);
      if (answer.outcome === 'took too long' || answer.outcome === 'took too much memory') end();
      return answer;
    },
    end,
  };
}

function failed(outcome: Outcome, begun: number): Answer {
  return { outcome, reason: outcome, warnings: 0, milliseconds: performance.now() - begun };
}
