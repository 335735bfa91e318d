import type { Report } from '../../result.ts';
import { type ClauseRow, VERDICT_WORDS, tabulateClauses } from '../clause-table.ts';
import { type Markup, html } from './markup.ts';

/** Every clause with its sentence, its level, how many cases tried it, and what they come to. */
export function clauseSection(report: Report): Markup | undefined {
  const rows = tabulateClauses(report);
  if (rows.length === 0) return undefined;
  return html`<section>
    <h2 id="clauses">Clauses</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Clause</th>
          <th scope="col">Level</th>
          <th scope="col" class="number">Cases</th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(clauseRow)}
      </tbody>
    </table>
  </section>`;
}

function clauseRow({ id, level, clause, cases, failed, verdict, reasons }: ClauseRow): Markup {
  const count = failed === 0 ? String(cases) : `${failed} of ${cases} failed`;
  return html`<tr id="${id}">
    <th scope="row">
      ${id}
      ${
        clause === undefined
          ? undefined
          : html`<p>${clause.sentence}</p>
              <p class="note">
                ${clause.document}, ${clause.section}${clause.note === undefined ? '' : `. ${clause.note}`}
              </p>`
      }
    </th>
    <td>${level}</td>
    <td class="number">${count}</td>
    <td>
      <span class="standing ${verdict}">${VERDICT_WORDS[verdict]}</span>
      ${reasons.map((reason) => html`<p class="note">${reason}</p>`)}
    </td>
  </tr>`;
}
