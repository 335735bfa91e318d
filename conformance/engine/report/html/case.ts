import { clausesById } from '../../../clauses.ts';
import type { CaseResult, Report } from '../../result.ts';
import { STANDING_WORDS, classifyResult } from '../standing.ts';
import { exchangeSection } from './exchange.ts';
import { type Markup, html } from './markup.ts';

/** One case; open from the start where the reader has to act. */
export function caseSection(result: CaseResult, report: Report): Markup {
  const { id, level, title, problems = [], reason, saw, waived, exchanges, clauses } = result;
  const standing = classifyResult(result, report);
  const isOpen = standing === 'failed' || standing === 'error';
  return html`<details
    class="case"
    id="${id}"
    data-standing="${standing}"
    data-level="${level}"
    ${isOpen ? OPEN : undefined}
  >
    <summary>
      <span class="standing ${standing}">${STANDING_WORDS[standing]}</span>
      <h3>${id}</h3>
      <span class="title">${title}</span>
    </summary>
    ${
      problems.length === 0
        ? undefined
        : html`<ul class="problems">
            ${problems.map((problem) => html`<li class="problem">${problem}</li>`)}
          </ul>`
    }
    ${reason === undefined ? undefined : html`<p>${reason}</p>`}
    ${saw === undefined ? undefined : html`<p><strong>Seen:</strong> ${saw}</p>`}
    ${waived === undefined ? undefined : html`<p><strong>Waived:</strong> ${waived}</p>`} ${clauses.map(clauseSection)}
    ${exchanges.map(exchangeSection)}
  </details>`;
}

const OPEN = html`open`;

function clauseSection(id: string): Markup {
  const clause = clausesById.get(id);
  if (clause === undefined) return html`<p>${id}</p>`;
  return html`<blockquote>
    <p>${clause.sentence}</p>
    <footer><code>${id}</code> ${clause.document}, ${clause.section}</footer>
    ${clause.note === undefined ? undefined : html`<p class="note">${clause.note}</p>`}
  </blockquote>`;
}
