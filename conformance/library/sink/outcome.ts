import type { Arrival } from './captured-request.ts';

/** What a case came to. */
export interface Verdict {
  readonly state: 'pass' | 'fail' | 'skip';
  readonly problems?: readonly string[];
  /** Why it was skipped. */
  readonly reason?: string;
  /** Of an observed case: what was seen. */
  readonly saw?: string;
  /** The requests that show it. */
  readonly arrivals?: readonly Arrival[];
}

export const PASSED: Verdict = { state: 'pass' };

export function failed(problem: string, arrivals: readonly Arrival[] = []): Verdict {
  return { state: 'fail', problems: [problem], arrivals };
}

export function skipped(reason: string): Verdict {
  return { state: 'skip', reason };
}

export function saw(text: string, arrivals: readonly Arrival[] = []): Verdict {
  return { state: 'pass', saw: text, arrivals };
}

const MAX_PROBLEMS = 20;

/** Fails where there is a problem, each with the request that has it. */
export function judged(found: readonly { problem: string; arrival: Arrival }[]): Verdict {
  if (found.length === 0) return PASSED;
  const problems = [...new Set(found.map(({ problem }) => problem))];
  const left = problems.length - MAX_PROBLEMS;
  return {
    state: 'fail',
    problems: left > 1 ? [...problems.slice(0, MAX_PROBLEMS), `There are ${left} more.`] : problems,
    arrivals: [...new Set(found.map(({ arrival }) => arrival))],
  };
}
