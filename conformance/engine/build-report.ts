import contract from '../generated/contract.json' with { type: 'json' };
import manifest from '../generated/manifest.json' with { type: 'json' };
import { measureCoverage } from './coverage.ts';
import type { CaseResult, Level, Report } from './result.ts';
import type { Selection } from './selection.ts';
import { conforms } from './verdict.ts';

/** What a run comes to. */
export interface RunSummary {
  /** Left out: the suite, with the contract of this project. */
  readonly made?: Pick<Report, 'tool' | 'contract'>;
  readonly target: Report['target'];
  readonly startedAt: Date;
  readonly requests: number;
  readonly seed?: number;
  readonly profile: boolean;
  /** The cases that were to be run. */
  readonly selected: readonly { readonly id: string; readonly clauses: readonly string[]; readonly level: Level }[];
  /** What chose them. Left out: they are all that there are. */
  readonly selection?: Selection | undefined;
  readonly results: CaseResult[];
  /** The run was interrupted: cases are missing. */
  readonly isIncomplete?: boolean;
  /** The run ended at its first failure. */
  readonly isStopped?: boolean;
  /** Left out: that of the clauses. */
  readonly coverage?: Report['coverage'];
}

const SUITE = {
  tool: { name: 'branchline-conformance', version: contract.info.version },
  contract: { sha256: manifest.sha256 },
};

/** The report of a run that ends now. */
export function buildReport({
  startedAt,
  isIncomplete = false,
  isStopped = false,
  selected,
  ...run
}: RunSummary): Report {
  const { target, requests, seed, profile, results, selection, made = SUITE } = run;
  return {
    ...made,
    target,
    startedAt: startedAt.toISOString(),
    milliseconds: Date.now() - startedAt.getTime(),
    requests,
    ...(seed === undefined ? {} : { seed }),
    profile,
    ...(selection === undefined ? {} : { selection }),
    results,
    coverage: run.coverage ?? measureCoverage(selected, results, profile),
    ...(isIncomplete ? { incomplete: true } : {}),
    ...(isStopped ? { stopped: true } : {}),
    conforms: !isIncomplete && !isStopped && conforms(results, profile),
  };
}
