import { clausesById } from '../../clauses.ts';
import type { Report } from '../result.ts';
import { waiverSentence } from '../waivers/sentence.ts';
import { type Cause, groupByCause } from './causes.ts';
import { describeVerdict, formatCaseCount, groupWarnings } from './standing.ts';

/** GitHub shows ten of a step. */
const MOST_WARNINGS = 10;

/**
 * The verdict and why cases failed, as commands that GitHub Actions reads in the log of a step and shows as annotations. It shows ten
 * of the errors, so there is one for each cause.
 */
export function githubReport(report: Report): string {
  const causes = groupByCause(report).filter(({ standing }) => standing === 'failed' || standing === 'error');
  const stale = (report.waivers ?? []).filter(({ state }) => state === 'stale');
  return [
    command('notice', 'Conformance', describeVerdict(report)),
    ...causes.map((cause) => command('error', nameCause(cause), describeCause(cause))),
    ...stale.map((waiver) => command('error', 'Waivers', waiverSentence(waiver))),
    ...groupWarnings(report)
      .slice(0, MOST_WARNINGS)
      .map(({ warning, cases }) =>
        command('warning', `${formatCaseCount(cases.length)}, such as ${cases[0]}`, warning),
      ),
  ].join('');
}

function nameCause({ results, example }: Cause): string {
  const others = results.length === 1 ? '' : `, and ${formatCaseCount(results.length - 1)} like it`;
  return `${example.id}: ${example.title}${others}`;
}

function describeCause({ results, clauses, example, problem }: Cause): string {
  const { problems = [], reason } = example;
  const about = clauses.length === 0 ? [] : [`Clauses: ${clauses.join(', ')}`];
  if (results.length > 1) return [problem, `Cases: ${list(results)}`, ...about].join('\n');
  const sources = clauses.map((id) => `${id}: “${clausesById.get(id)?.sentence ?? ''}”`);
  return [...problems, ...(reason === undefined ? [] : [reason]), ...sources].join('\n');
}

function list(results: readonly { readonly id: string }[]): string {
  return results.map(({ id }) => id).join(', ');
}

function command(name: 'notice' | 'warning' | 'error', title: string, message: string): string {
  return `::${name} title=${escapeMessage(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escapeMessage(message)}\n`;
}

/** A new line would be read as another command. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
