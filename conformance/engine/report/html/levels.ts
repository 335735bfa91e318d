import type { Level, Report } from '../../result.ts';
import { LEVELS, STANDING_WORDS, type Standing, classifyResult, countLine } from '../standing.ts';
import { type Markup, html } from './markup.ts';

/** Every level with a bar that shows how its cases ended. */
export function levelSection(report: Report): Markup {
  return html`<section>
    <h2 id="levels">Results by level</h2>
    ${LEVELS.map((level) => levelRow(level, report))}
  </section>`;
}

function levelRow(level: Level, report: Report): Markup {
  return html`<div class="level-row">
    <h3>${level}</h3>
    ${bar(level, report)}
    <p>${countLine(level, report)}</p>
    <p class="note">${MEANINGS[level]}</p>
  </div>`;
}

/** Numbers of cases are its coordinates. The line below it says the same in words. */
function bar(level: Level, report: Report): Markup | undefined {
  const standings = report.results.filter((one) => one.level === level).map((one) => classifyResult(one, report));
  if (standings.length === 0) return undefined;
  const order = Object.keys(STANDING_WORDS) as Standing[];
  const sorted = order.flatMap((standing) => {
    const from = standings.filter((one) => order.indexOf(one) < order.indexOf(standing)).length;
    const count = standings.filter((one) => one === standing).length;
    return count === 0 ? [] : [html`<rect class="${standing}" x="${from}" width="${count}" height="1" />`];
  });
  return html`<svg class="bar" viewBox="0 0 ${standings.length} 1" preserveAspectRatio="none" aria-hidden="true">
    ${sorted}
  </svg>`;
}

const MEANINGS: Readonly<Record<Level, string>> = {
  required: 'Documented. A failure means that the target does not conform.',
  profile:
    'Decided by this project where the documents leave something open. It counts only with --profile branchline.',
  observed:
    'Left open by the documents: shown, and a failure only where a server error came, or a branch without the documented answer.',
};
