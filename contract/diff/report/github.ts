import type { JudgedFinding } from '../allowances/allowance.ts';
import type { Level } from '../levels.ts';
import { describeOperations, describeVerdict, type DiffReport, levelOf, selectShown } from './report.ts';

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies Record<Level, string>;

/** Commands that GitHub Actions reads in the log of a step, and shows as annotations at their lines. */
export function githubReport(report: DiffReport): string {
  const { shown } = selectShown(report);
  return [
    ...shown.map((finding) => annotate(finding, report)),
    ...report.idle.map(({ sentence }) => `::warning title=Allowances::${escapeMessage(sentence)}\n`),
    `::notice title=Contract::${escapeMessage(describeVerdict(report))}\n`,
  ].join('');
}

function annotate(finding: JudgedFinding, report: DiffReport): string {
  const { place, sentence, rule, allowed, nearest } = finding;
  const level = allowed === undefined ? levelOf(finding, report.audience) : 'info';
  // Only the new contract is there to be annotated.
  const file = nearest.file ?? report.new;
  const where = `file=${escapeProperty(file)},line=${nearest.line},col=${nearest.column},`;
  const operations = describeOperations(finding);
  const more = [operations === '' ? '' : ` (${operations})`, allowed === undefined ? '' : ` [allowed: ${allowed}]`];
  return `::${COMMANDS[level]} ${where}title=${escapeProperty(rule)}::${escapeMessage(`${place}: ${sentence}${more.join('')}`)}\n`;
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A new line would be read as another command. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
