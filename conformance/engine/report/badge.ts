import { makeBadge } from 'badge-maker';
import type { Report } from '../result.ts';
import { countUntried, hasWaived, isBrokenOff, isJudged } from './standing.ts';

/** An SVG for a page about the implementation: the tool's version, and the verdict. */
export function badgeReport(report: Report): string {
  return `${makeBadge({ label: nameTried(report), ...chooseBadge(report) })}\n`;
}

/** What the verdict is about. */
function nameTried({ contract, tool }: Report): string {
  return contract.source ?? `Branchline conformance ${tool.version}`;
}

const GREY = '#5f6368';

function chooseBadge(report: Report): { message: string; color: string } {
  const { conforms, incomplete, selection, profile } = report;
  if (incomplete === true) return { message: 'incomplete', color: GREY };
  if (isBrokenOff(report) || (!conforms && !isJudged(report))) return { message: 'not judged', color: GREY };
  if (!conforms) return { message: 'does not conform', color: '#b3261e' };
  if (selection !== undefined) return { message: 'conforms in part', color: GREY };
  if (report.coverage.untried.length > 0) return { message: `conforms, ${countUntried(report.coverage)}`, color: GREY };
  if (hasWaived(report)) return { message: 'conforms, with waivers', color: GREY };
  return { message: profile ? 'conforms to the profile' : 'conforms', color: '#1b6e2b' };
}
