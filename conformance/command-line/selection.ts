import { CouldNotRun } from '../could-not-run.ts';
import { isFailed, readEarlierReport } from '../engine/report/earlier.ts';
import type { Level } from '../engine/result.ts';
import { type Selectable, type Selection, checkSelection } from '../engine/selection.ts';

/** The options that choose cases, as they were written. */
export interface GivenToSelect {
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  readonly level?: readonly Level[];
  readonly rerunFailed?: string;
}

/** Why a run would try nothing. */
export const NOTHING_LEFT =
  'The options leave no case to try; --list shows them, and those of the profile with --profile branchline.';

/**
 * @param cases all that there are for such a target.
 * @returns nothing where all cases are to be tried.
 * @throws CouldNotRun with a sentence for the user.
 */
export function selectionFrom(given: GivenToSelect, cases: readonly Selectable[]): Selection | undefined {
  const { only, exclude, level: levels, rerunFailed } = given;
  const selection: Selection = {
    ...(only === undefined ? {} : { only }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(levels === undefined ? {} : { levels }),
    ...(rerunFailed === undefined ? {} : { failedBefore: readFailed(rerunFailed) }),
  };
  checkSelection(selection, cases);
  return Object.keys(selection).length === 0 ? undefined : selection;
}

function readFailed(path: string): string[] {
  const { results } = readEarlierReport(path, '--rerun-failed');
  const failed = results.flatMap(({ id, state }) => (isFailed(state) ? [id] : []));
  if (failed.length === 0) throw new CouldNotRun(`--rerun-failed: nothing failed in ${path}.`);
  return failed;
}
