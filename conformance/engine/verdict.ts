import type { CaseResult, Level } from './result.ts';

/** Whether these results let a service be called conforming: no failure that counts, unless it is waived. */
export function conforms(results: readonly CaseResult[], profile: boolean): boolean {
  return !results.some(
    ({ level, state, waived }) => isDemanded(level, profile) && isFailure(state) && waived === undefined,
  );
}

/** Whether a failure of this level keeps a service from conforming. */
export function isDemanded(level: Level, profile: boolean): boolean {
  return level !== 'profile' || profile;
}

/** An `error` is no failure of the service, but nothing was shown. */
function isFailure(state: CaseResult['state']): boolean {
  return state === 'fail' || state === 'error';
}
