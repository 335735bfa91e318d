import type { Report } from '../result.ts';

/** The report for programs; `report.schema.json` says what stands where. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
