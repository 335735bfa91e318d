import type { Report } from '../result.ts';
import { groupByCause } from './causes.ts';
import { tabulateClauses } from './clause-table.ts';

/** The report for programs; `report.schema.json` says what stands where. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify({ ...report, clauses: listClauses(report), causes: listCauses(report) }, null, 2)}\n`;
}

function listClauses(report: Report): object[] {
  return tabulateClauses(report).map(({ id, level, clause, cases, failed, verdict, reasons }) => ({
    id,
    level,
    ...(clause === undefined ? {} : { sentence: clause.sentence, document: clause.document, section: clause.section }),
    cases,
    failed,
    verdict: verdict === 'skipped' ? 'untried' : verdict,
    ...(reasons.length === 0 ? {} : { reasons }),
  }));
}

function listCauses(report: Report): object[] {
  return groupByCause(report).map(({ results, example, ...cause }) => ({
    ...cause,
    cases: results.map(({ id }) => id),
    example: example.id,
  }));
}
