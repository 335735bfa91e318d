import type { Report } from '../../result.ts';
import { LEVELS, STANDING_WORDS, classifyResult } from '../standing.ts';
import { type Markup, html } from './markup.ts';

/** Hidden until the script runs, since it does nothing without it. */
export function filterForm(report: Report): Markup {
  const standings = new Set<string>(report.results.map((result) => classifyResult(result, report)));
  const words = Object.entries(STANDING_WORDS).filter(([standing]) => standings.has(standing));
  return html`<form id="filter" role="search" aria-label="Cases" hidden>
    <label
      >Result
      <select name="standing">
        <option value="">any</option>
        ${words.map(option)}
      </select></label
    >
    <label
      >Level
      <select name="level">
        <option value="">any</option>
        ${LEVELS.map((level) => option([level, level]))}
      </select></label
    >
    <label>Text <input name="text" type="search" autocomplete="off" /></label>
    <output name="shown"></output>
  </form>`;
}

function option([value, words]: readonly [string, string]): Markup {
  return html`<option value="${value}">${words}</option>`;
}
