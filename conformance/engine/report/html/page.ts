import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Level, Report, WaiverResult } from '../../result.ts';
import { waiverSentence } from '../../waivers/sentence.ts';
import {
  LEVELS,
  STANDING_WORDS,
  countLine,
  countUntried,
  listUntried,
  classifyResult,
  describeVerdict,
} from '../standing.ts';
import { caseSection } from './case.ts';
import { Markup, html } from './markup.ts';

const STYLE = readFileSync(new URL('page.css', import.meta.url), 'utf8');
const SCRIPT = readFileSync(new URL('in-the-page.js', import.meta.url), 'utf8');
/** Nothing is fetched, and nothing runs but what stands here. */
const POLICY = `default-src 'none'; style-src '${hash(STYLE)}'; script-src '${hash(SCRIPT)}'; base-uri 'none'; form-action 'none'`;

/** The report as one page that needs nothing else: it can be mailed, or opened from a disk. */
export function htmlReport(report: Report): string {
  const { tool } = report;
  return `<!doctype html>
${
  html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="generator" content="${tool.name} ${tool.version}" />
      <title>${describeVerdict(report)}</title>
      ${new Markup(`<style>${STYLE}</style>`)}
    </head>
    <body>
      <main>
        <header class="${report.conforms ? 'conforms' : 'fails'}">
          <h1>${describeVerdict(report)}</h1>
          ${factList(report)}
        </header>
        ${countTable(report)} ${untriedSection(report)} ${waiverSection(report.waivers)} ${filterForm(report)}
        ${LEVELS.map((level) => levelSection(level, report))}
      </main>
      ${new Markup(`<script>${SCRIPT}</script>`)}
    </body>
  </html>`.text
}
`;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function factList({ tool, target, startedAt, milliseconds, requests, profile, contract }: Report): Markup {
  const facts: [string, string][] = [
    ['Target', target.baseUrl],
    ['Workspace', target.workspace],
    ['Accounts', String(target.accounts)],
    ['Demanded', profile ? 'what is documented, and the profile branchline' : 'what is documented'],
    ['Begun', startedAt],
    ['Took', `${(milliseconds / 1_000).toFixed(1)} s, ${requests} requests`],
    ['Tool', `${tool.name} ${tool.version}`],
    ['Contract', contract.sha256],
  ];
  return html`<dl>
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function countTable(report: Report): Markup {
  return html`<table>
    <caption>
      Results by level
    </caption>
    <thead>
      <tr>
        <th scope="col">Level</th>
        <th scope="col">Results</th>
      </tr>
    </thead>
    <tbody>
      ${LEVELS.map(
        (level) =>
          html`<tr>
            <th scope="row">${level}</th>
            <td>${countLine(level, report)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function untriedSection({ coverage }: Report): Markup | undefined {
  if (coverage.untried.length === 0) return undefined;
  return html`<section>
    <h2>${countUntried(coverage)}</h2>
    <ul>
      ${listUntried(coverage).map(
        ({ reason, clauses }) =>
          html`<li>
            ${reason}
            <p class="note">${clauses.join(', ')}</p>
          </li>`,
      )}
    </ul>
  </section>`;
}

function waiverSection(waivers: readonly WaiverResult[] = []): Markup | undefined {
  if (waivers.length === 0) return undefined;
  return html`<section>
    <h2>Waivers</h2>
    <ul>
      ${waivers.map(
        (waiver) =>
          html`<li>
            ${waiverSentence(waiver)}
            ${waiver.link === undefined ? undefined : html`<a href="${waiver.link}">${waiver.link}</a>`}
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Hidden until the script runs, since it does nothing without it. */
function filterForm(report: Report): Markup {
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

function levelSection(level: Level, report: Report): Markup {
  const mine = report.results.filter((result) => result.level === level);
  const results = Object.keys(STANDING_WORDS).flatMap((standing) =>
    mine.filter((result) => classifyResult(result, report) === standing),
  );
  return html`<section class="level">
    <h2>${level}</h2>
    <p class="note">${MEANINGS[level]}</p>
    ${results.map((result) => caseSection(result, report))}
  </section>`;
}

const MEANINGS: Readonly<Record<Level, string>> = {
  required: 'Documented. A failure means that the target does not conform.',
  profile:
    'Decided by this project where the documents leave something open. It counts only with --profile branchline.',
  observed:
    'Left open by the documents: shown, and a failure only where a server error came, or a branch without the documented answer.',
};
