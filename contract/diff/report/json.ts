import { type DiffReport, fileOf, levelOf, listFailures } from './report.ts';

/** The report for programs: all findings, whomever it is for. */
export function jsonReport(report: DiffReport): string {
  const { findings, idle, audience, failOn } = report;
  const failures = new Set(listFailures(report));
  return `${JSON.stringify(
    {
      version: 1,
      old: report.old,
      new: report.new,
      audience,
      failOn,
      breaking: failures.size > 0,
      findings: findings.map((finding) => ({
        rule: finding.rule,
        level: levelOf(finding, audience),
        clients: finding.clients,
        servers: finding.servers,
        place: finding.place,
        sentence: finding.sentence,
        operations: finding.operations,
        side: finding.position.side,
        file: fileOf(finding.position, report),
        line: finding.position.line,
        column: finding.position.column,
        fails: failures.has(finding),
        ...(finding.allowed === undefined ? {} : { allowed: finding.allowed }),
      })),
      unusedAllowances: idle.map(({ allowance, sentence }) => ({ ...allowance, sentence })),
    },
    null,
    2,
  )}\n`;
}
