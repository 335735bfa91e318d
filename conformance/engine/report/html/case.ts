import type { CaseResult, Report } from '../../result.ts';
import { STANDING_WORDS, classifyResult } from '../standing.ts';
import { type Markup, html } from './markup.ts';
import { truncate } from './truncate.ts';

const MAX_PROBLEMS = 5;

/** One case; there may be a thousand, so that each byte counts. The filter finds it by its classes. */
export function caseSection(result: CaseResult, report: Report, evidence: Markup | undefined): Markup {
  const { id, level, title, clauses } = result;
  const standing = classifyResult(result, report);
  return html`<details class="case ${standing} ${level}" id="${id}">
    <summary>
      <b>${STANDING_WORDS[standing]}</b>
      <h3>${id}</h3>
      <span>${title}</span>
    </summary>
    <p class="note">${clauses.join(', ')}</p>
    ${evidence}
  </details>`;
}

/** What the case came to, in words; nothing for one that passed. */
export function describeCase({ problems = [], warnings = [], reason, saw, waived }: CaseResult): Markup | undefined {
  const said = [...problems, ...warnings, reason, saw].filter((one) => one !== undefined);
  if (said.length === 0) return undefined;
  const left = problems.length - MAX_PROBLEMS;
  return html`${problems.slice(0, MAX_PROBLEMS).map((problem) => html`<p class="problem">${truncate(problem)}</p>`)}
  ${left > 0 ? html`<p>and ${left} more</p>` : undefined}
  ${warnings.map((warning) => html`<p><strong>Warning:</strong> ${truncate(warning)}</p>`)}
  ${reason === undefined ? undefined : html`<p>${truncate(reason)}</p>`}
  ${saw === undefined ? undefined : html`<p><strong>Seen:</strong> ${truncate(saw)}</p>`}
  ${waived === undefined ? undefined : html`<p><strong>Waived:</strong> ${waived}</p>`}`;
}
