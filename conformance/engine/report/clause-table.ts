import { clauses, clausesById } from '../../clauses.ts';
import type { Clause, Level, Report } from '../result.ts';
import { STANDING_WORDS, type Standing, classifyResult } from './standing.ts';

/** What the cases about a clause come to. */
export interface ClauseRow {
  readonly id: string;
  readonly level: Level;
  /** Left out for a clause that this version of the suite does not know. */
  readonly clause?: Clause;
  /** How many cases about it ended. */
  readonly cases: number;
  /** How many of them failed, whether or not that counts. */
  readonly failed: number;
  readonly verdict: Standing;
  /** Of a clause that was not tried: why. */
  readonly reasons: readonly string[];
}

/** The verdict on a clause in words. */
export const VERDICT_WORDS: Readonly<Record<Standing, string>> = { ...STANDING_WORDS, skipped: 'untried' };

/** One case that passed has tried a clause, whatever was skipped. */
const ORDER: readonly Standing[] = [
  'failed',
  'error',
  'not-demanded',
  'waived',
  'passed',
  'seen',
  'skipped',
  'not-seen',
];

const places = new Map(clauses.map(({ id }, index) => [id, index]));

/** Every clause that the run is about, tried or not, in the order of the documents. */
export function tabulateClauses(report: Report): ClauseRow[] {
  if (report.coverage.of !== undefined) return [];
  const byClause = Map.groupBy(
    report.results.flatMap((result) => result.clauses.map((id) => ({ id, result }))),
    ({ id }) => id,
  );
  const untried = report.coverage.untried.map(({ clause }) => clause);
  const ids = [...new Set([...byClause.keys(), ...untried])];
  const rows = ids.map((id) =>
    toRow(
      id,
      (byClause.get(id) ?? []).map(({ result }) => result),
      report,
    ),
  );
  return rows.toSorted((a, b) => findPlace(a) - findPlace(b));
}

function toRow(id: string, results: Report['results'], report: Report): ClauseRow {
  const standings = new Set(results.map((result) => classifyResult(result, report)));
  const verdict = ORDER.find((one) => standings.has(one)) ?? 'skipped';
  const clause = clausesById.get(id);
  const isUntried = verdict === 'skipped' || verdict === 'not-seen';
  const reasons = results.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  return {
    id,
    level: clause?.level ?? results[0]?.level ?? 'required',
    ...(clause === undefined ? {} : { clause }),
    cases: results.length,
    failed: results.filter(({ state }) => state === 'fail').length,
    verdict,
    reasons: isUntried ? [...new Set(reasons.length === 0 ? ['The run did not reach it.'] : reasons)] : [],
  };
}

function findPlace({ id }: ClauseRow): number {
  return places.get(id) ?? places.size;
}
