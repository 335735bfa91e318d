import type { CaseResult, Coverage, Level } from './result.ts';
import { isDemanded } from './verdict.ts';

/** As much of a case as coverage is about. */
interface Selected {
  readonly id: string;
  readonly clauses: readonly string[];
  readonly level: Level;
}

/**
 * Which demanded clauses a run tried: those of which a case passed or failed. A case that was skipped, or that the run did not
 * reach, tries nothing.
 *
 * @param selected - the cases of the run, whether it reached them or not.
 */
export function measureCoverage(
  selected: readonly Selected[],
  results: readonly CaseResult[],
  profile: boolean,
): Coverage {
  const demanded = selected.filter(({ level }) => level !== 'observed' && isDemanded(level, profile));
  const clauses = new Set(demanded.flatMap((one) => one.clauses));
  const resultsById = new Map(results.map((result) => [result.id, result]));
  const triedIds = demanded.filter(({ id }) => isTried(resultsById.get(id)));
  const tried = new Set(triedIds.flatMap((one) => one.clauses));
  const untried = [...clauses].filter((clause) => !tried.has(clause));
  return {
    demanded: clauses.size,
    untried: untried.map((clause) => {
      const reasons = demanded
        .filter((one) => one.clauses.includes(clause))
        .map(({ id }) => resultsById.get(id)?.reason ?? 'The run did not reach it.');
      return { clause, reasons: [...new Set(reasons)] };
    }),
  };
}

function isTried(result: CaseResult | undefined): boolean {
  return result?.state === 'pass' || result?.state === 'fail';
}
