import { clausesById } from '../../clauses.ts';
import type { CaseResult, Report } from '../result.ts';
import { waiverSentence } from '../waivers/sentence.ts';
import { classifyResult, describeVerdict } from './standing.ts';

/**
 * The verdict and what failed, as commands that GitHub Actions reads in the log of a step and shows as annotations. It shows ten of
 * the errors; the other reports have all of them.
 */
export function githubReport(report: Report): string {
  const failures = report.results.filter((result) => ['failed', 'error'].includes(classifyResult(result, report)));
  const stale = (report.waivers ?? []).filter(({ state }) => state === 'stale');
  return [
    command('notice', 'Conformance', describeVerdict(report)),
    ...failures.map((result) => command('error', `${result.id}: ${result.title}`, failure(result))),
    ...stale.map((waiver) => command('error', 'Waivers', waiverSentence(waiver))),
  ].join('');
}

function failure({ problems = [], reason, clauses }: CaseResult): string {
  const sources = clauses.map((id) => `${id}: “${clausesById.get(id)?.sentence ?? ''}”`);
  return [...problems, ...(reason === undefined ? [] : [reason]), ...sources].join('\n');
}

function command(name: 'notice' | 'error', title: string, message: string): string {
  return `::${name} title=${escapeMessage(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escapeMessage(message)}\n`;
}

/** A new line would be read as another command. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
