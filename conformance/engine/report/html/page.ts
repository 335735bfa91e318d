import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CaseResult, Comparison, Report, WaiverResult } from '../../result.ts';
import { waiverSentence } from '../../waivers/sentence.ts';
import {
  LEVELS,
  STANDING_WORDS,
  classifyResult,
  countUntried,
  describeVerdict,
  formatCaseCount,
  groupWarnings,
  listUntried,
} from '../standing.ts';
import { describeChanges, describeComparison } from '../comparison.ts';
import { caseSection } from './case.ts';
import { causeSection } from './causes.ts';
import { clauseSection } from './clauses.ts';
import { chooseEvidence } from './evidence.ts';
import { filterForm } from './filter.ts';
import { levelSection } from './levels.ts';
import { Markup, html, linkList } from './markup.ts';
import { Room } from './room.ts';

const STYLE = readFileSync(new URL('page.css', import.meta.url), 'utf8');
const SCRIPT = readFileSync(new URL('in-the-page.js', import.meta.url), 'utf8');
/** Nothing is fetched, and nothing runs but what stands here. */
const POLICY = `default-src 'none'; style-src '${hash(STYLE)}'; script-src '${hash(SCRIPT)}'; base-uri 'none'; form-action 'none'`;

/** Whoever mails the page, or keeps one for each run, need not think of its size. */
const MAX_BYTES = 495_000;

/** The report as one page that needs nothing else: it can be mailed, or opened from a disk. It has less than 500 KB. */
export function htmlReport(report: Report): string {
  const without = writePage(report, new Room(0));
  return writePage(report, new Room(MAX_BYTES - Buffer.byteLength(without)));
}

/** @param room - for the exchanges. */
function writePage(report: Report, room: Room): string {
  const { tool } = report;
  const causes = causeSection(report, room);
  const evidence = chooseEvidence(report.results, room);
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
        ${levelSection(report)} ${untriedSection(report)} ${waiverSection(report.waivers)}
        ${comparisonSection(report.comparison)} ${warningSection(report)} ${clauseSection(report)} ${causes}
        <section>
          <h2 id="cases">Cases</h2>
          ${evidence.leftOut === 0 ? undefined : html`<p class="note">The page has no room for ${evidence.leftOut} exchanges: the JSON report has them.</p>`}
          ${filterForm(report)}
          ${sortByStanding(report).map((result) => caseSection(result, report, evidence.byCase.get(result)))}
        </section>
      </main>
      ${new Markup(`<script>${SCRIPT}</script>`)}
    </body>
  </html>`.text
}
`;
}

/** What needs attention first; the same levels together. */
function sortByStanding(report: Report): CaseResult[] {
  const standings = Object.keys(STANDING_WORDS);
  const rank = (result: CaseResult): number => standings.indexOf(classifyResult(result, report));
  return report.results.toSorted((a, b) => rank(a) - rank(b) || LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function factList({ tool, target, startedAt, milliseconds, requests, profile, contract }: Report): Markup {
  const facts: [string, string][] = [
    ['Target', target.baseUrl],
    ...(target.workspace === undefined ? [] : [['Workspace', target.workspace] satisfies [string, string]]),
    ...(target.accounts === undefined ? [] : [['Accounts', String(target.accounts)] satisfies [string, string]]),
    ['Demanded', profile ? 'what is documented, and the profile branchline' : 'what is documented'],
    ['Begun', startedAt],
    ['Took', `${(milliseconds / 1_000).toFixed(1)} s, ${requests} requests`],
    ['Tool', `${tool.name} ${tool.version}`],
    ['Contract', contract.source === undefined ? contract.sha256 : `${contract.source}, ${contract.sha256}`],
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

function warningSection(report: Report): Markup | undefined {
  const warnings = groupWarnings(report);
  if (warnings.length === 0) return undefined;
  return html`<section>
    <h2>Warnings</h2>
    <ul>
      ${warnings.map(
        ({ warning, cases }) =>
          html`<li>
            ${warning}
            <p class="note">${formatCaseCount(cases.length)}, such as ${linkList(cases.slice(0, 1))}</p>
          </li>`,
      )}
    </ul>
  </section>`;
}

function comparisonSection(comparison: Comparison | undefined): Markup | undefined {
  if (comparison === undefined) return undefined;
  const changes = describeChanges(comparison);
  return html`<section>
    <h2>${describeComparison(comparison)}</h2>
    ${changes.length === 0 ? html`<p>Nothing failed then or now.</p>` : undefined}
    ${changes.map(
      ({ words, cases }) =>
        html`<h3>${cases.length} ${words}</h3>
          ${linkList(cases)}`,
    )}
  </section>`;
}
