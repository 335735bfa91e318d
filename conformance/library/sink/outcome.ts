import type { CapturedRequest } from './captured-request.ts';

/** What a case came to. */
export interface CaseOutcome {
  readonly state: 'pass' | 'fail' | 'skip';
  readonly problems?: readonly string[];
  /** Why it was skipped. */
  readonly reason?: string;
  /** Of an observed case: what was seen. */
  readonly saw?: string;
  /** The requests that show it. */
  readonly requests?: readonly CapturedRequest[];
}

export const PASSED: CaseOutcome = { state: 'pass' };

export function fail(problem: string, requests: readonly CapturedRequest[] = []): CaseOutcome {
  return { state: 'fail', problems: [problem], requests };
}

export function skip(reason: string): CaseOutcome {
  return { state: 'skip', reason };
}

export function observe(text: string, requests: readonly CapturedRequest[] = []): CaseOutcome {
  return { state: 'pass', saw: text, requests };
}

const MAX_PROBLEMS = 20;

/** A problem, and the request that has it. */
export interface Found {
  readonly problem: string;
  readonly captured: CapturedRequest;
}

/** Fails where there is a problem. */
export function failOn(found: readonly Found[]): CaseOutcome {
  if (found.length === 0) return PASSED;
  const problems = [...new Set(found.map(({ problem }) => problem))];
  const left = problems.length - MAX_PROBLEMS;
  return {
    state: 'fail',
    problems: left > 1 ? [...problems.slice(0, MAX_PROBLEMS), `There are ${left} more.`] : problems,
    requests: [...new Set(found.map(({ captured }) => captured))],
  };
}
