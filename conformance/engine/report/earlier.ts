import { CouldNotRun } from '../../could-not-run.ts';
import { LARGE, readGivenFile } from '../../given-file.ts';
import type { CaseState } from '../result.ts';

/** As much of an earlier JSON report as later runs look at; whichever version wrote it. */
export interface EarlierReport {
  readonly startedAt?: string;
  readonly seed?: number;
  readonly results: readonly { readonly id: string; readonly state: CaseState }[];
}

/**
 * Reads a JSON report.
 *
 * @param option - that named it, for the error.
 * @throws CouldNotRun where there is none.
 */
export function readEarlierReport(path: string, option: string): EarlierReport {
  const report = parse(readGivenFile(path, option, LARGE));
  if (isReport(report)) return report;
  throw new CouldNotRun(`${option}: ${path} is no JSON report: --report json=${path} writes one.`);
}

/** Whether a case failed, or never came to an end for a fault of the test. */
export function isFailed(state: CaseState | undefined): boolean {
  return state === 'fail' || state === 'error';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isReport(value: unknown): value is EarlierReport {
  if (typeof value !== 'object' || value === null || !('results' in value) || !Array.isArray(value.results))
    return false;
  if ('seed' in value && !Number.isSafeInteger(value.seed)) return false;
  return value.results.every((one: unknown) => {
    const { id, state }: { id?: unknown; state?: unknown } = Object(one);
    return typeof id === 'string' && typeof state === 'string';
  });
}
