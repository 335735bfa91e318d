import type { JudgedFinding } from '../allowances/allowance.ts';
import {
  describeLevel,
  describeOperations,
  describeVerdict,
  type DiffReport,
  fileOf,
  levelOf,
  selectShown,
} from './report.ts';

const MARKS = { error: '❌', warning: '⚠️', info: 'ℹ️' } as const;

/** A table for the comment on a pull request. */
export function markdownReport(report: DiffReport): string {
  const { shown, left } = selectShown(report);
  const others = left === 0 ? [] : ['', `${left} more ${left === 1 ? 'change breaks' : 'changes break'} nothing.`];
  const table =
    shown.length === 0
      ? []
      : [
          '',
          '| Level | Where | What | Rule | Line |',
          '| --- | --- | --- | --- | --- |',
          ...shown.map((finding) => printRow(finding, report)),
        ];
  const idle = report.idle.flatMap(({ sentence }) => ['', escape(sentence)]);
  return ['### Contract changes', '', escape(describeVerdict(report)), ...table, ...others, ...idle, ''].join('\n');
}

function printRow(finding: JudgedFinding, report: DiffReport): string {
  const operations = describeOperations(finding);
  const allowed = finding.allowed === undefined ? '' : ` (allowed: ${finding.allowed})`;
  const cells = [
    `${MARKS[levelOf(finding, report.audience)]} ${describeLevel(finding, report.audience)}`,
    finding.place + (operations === '' ? '' : `, in ${operations}`),
    finding.sentence + allowed,
    `\`${finding.rule}\``,
    `${fileOf(finding.position, report)}:${finding.position.line}`,
  ];
  return `| ${cells.map((cell) => (cell.startsWith('`') ? cell : escape(cell))).join(' | ')} |`;
}

/** What is written in a contract must not become markup. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>|#]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');
}
