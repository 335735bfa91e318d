import { describeLevel, describeOperations, describeVerdict, type DiffReport, placeOf, selectShown } from './report.ts';

/** One finding a line, for people and for editors that follow `file:line:column`. */
export function textReport(report: DiffReport): string {
  const { shown, left } = selectShown(report);
  const lines = shown.map((finding) => {
    const operations = describeOperations(finding);
    const where = operations === '' ? '' : ` (${operations})`;
    const allowed = finding.allowed === undefined ? '' : ` [allowed: ${finding.allowed}]`;
    const what = `${finding.place}: ${finding.sentence}${where}${allowed}`;
    return `${placeOf(finding, report)}  ${describeLevel(finding, report.audience)}  ${finding.rule}  ${what}`;
  });
  const others =
    left === 0 ? [] : [`${left} more ${left === 1 ? 'change breaks' : 'changes break'} nothing; --all shows them.`];
  return [...lines, ...(lines.length === 0 ? [] : ['']), describeVerdict(report), ...others, ''].join('\n');
}
