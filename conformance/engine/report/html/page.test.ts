import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, noBrowser, shareBrowser } from '../../../../test/console/support/browser.ts';
import { describeUnless } from '../../../../test/support/describe-unless.ts';
import type { Report } from '../../result.ts';
import { EXCHANGE, PARTIAL, faultNamed, realReport, report, result, withTexts } from '../testing/reports.ts';
import { html } from './markup.ts';
import { htmlReport } from './page.ts';

describe('the page', () => {
  const page = htmlReport(report());

  it('says what there is to know of a failure', () => {
    for (const said of [
      'https://api.example/ does not conform.',
      'It is wrong.',
      'BRANCH-URL-1',
      'Oops.',
      'Ticket 42.',
      'Needs a second account.',
      'Status 201.',
    ])
      expect(page).toContain(said);
    expect(page).toContain('--user &quot;$BRANCHLINE_ACCOUNT&quot;');
    expect(page).toMatch(/1 failed; 1 ended by a fault of the test; 1 failed, and waived; 1 skipped; 1 passed/);
  });

  it('says what was not tried, and what to give to try it', () => {
    const partial = htmlReport(report([], { conforms: true, coverage: PARTIAL }));
    expect(partial).toContain('<h1>https://api.example/ conforms in what was tried; 2 of 61 clauses untried.</h1>');
    expect(partial).toMatch(/Needs branches in other statuses: --seed-command\.[^]*EXPORT-COLUMN-branchMergedDate, /);
  });

  it('needs nothing else', () => {
    expect(page).not.toMatch(/\s(src|srcset|action|style|on\w+)=|\shref="(?!#)/);
    expect(page).not.toMatch(/@import|url\(/);
    expect(page).toContain('default-src &#39;none&#39;');
  });

  it('has the verdict, a bar for each level, the clauses, the causes, and then the cases', () => {
    const places = ['<h1>', '<svg class="bar"', '<h2 id="clauses">', '<h2 id="causes">', '<h2 id="cases">'];
    const found = places.map((place) => page.indexOf(place));
    expect(found).toEqual(found.filter((place) => place > 0).toSorted((a, b) => a - b));
    expect(page.match(/<svg class="bar"/g)).toHaveLength(3);
    expect(page).toMatch(/<rect class="failed" x="0" width="1" height="1" ?\/>/);
    expect(page).toMatch(/<tr id="BRANCH-URL-1">[^]*?<td class="number">2 of 5 failed<\/td>[^]*?failed<\/span>/);
    expect(page).toMatch(
      /<article class="cause">[^]*1 case failed:<\/span>\s+It is wrong\.[^]*href="#creation\/fields"/,
    );
  });

  it('leaves out exchanges that it has no room for, and says so', () => {
    const long = { ...EXCHANGE, request: { ...EXCHANGE.request, body: 'x'.repeat(16_000) } };
    const passed = Array.from({ length: 60 }, (_, index) => result({ id: `a/${index}`, exchanges: [long, long] }));
    const failed = result({ id: 'b/b', state: 'fail', problems: ['It is wrong.'], exchanges: [EXCHANGE] });
    const large = htmlReport(report([...passed, failed]));
    expect(Buffer.byteLength(large)).toBeLessThan(500_000);
    expect(large.match(/id="b\/b"[^]*?Oops\./)).not.toBeNull();
    expect(large).toMatch(/The page has no room for \d\d exchanges: the JSON report has them\./);
  });

  it('has the tokens of the console', () => {
    const ours = readTokens(readFileSync(new URL('page.css', import.meta.url), 'utf8'));
    const tokens = new URL('../../../../console/src/styles/tokens.css', import.meta.url);
    const all = readTokens(readFileSync(tokens, 'utf8'));
    expect(ours.size).toBeGreaterThan(20);
    for (const [name, value] of ours) expect(all.get(name), name).toBe(value);
  });

  it('links only to what is http', () => {
    const waivers = [
      { case: 'creation/url', reason: 'r', link: 'https://tracker.example/"><b>', state: 'used' },
    ] as const;
    expect(htmlReport(report([], { waivers: [...waivers] }))).toContain(
      'href="https://tracker.example/&quot;&gt;&lt;b&gt;"',
    );
  });
});

function readTokens(css: string): Map<string, string> {
  const [root = ''] = /:root \{[^}]*\}/.exec(css) ?? [];
  return new Map([...root.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));
}

/** Tags and attributes, without any text. */
function skeleton(page: string): string[] {
  return page.match(/<[^<>]*>/g)?.map((tag) => tag.replaceAll(/(content|id|href)="[^"]*"/g, '')) ?? [];
}

it('whatever the texts are, none of them becomes a part of the page', () => {
  const plain = skeleton(htmlReport(withTexts((text) => text)));
  // What can't be repeated by a copy of what is shown has no command.
  const withoutCurl = skeleton(htmlReport(withTexts((text) => `${text}\0`)));
  expect(withoutCurl).not.toEqual(plain);
  const hostile = fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onload='x",
    '</style>',
    '</pre>',
    '<!--',
    ']]>',
    '&lt;',
    '\u0000',
    '\u202E',
  );
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
      const page = htmlReport(withTexts((before) => before + text));
      expect(skeleton(page)).toEqual(page.includes('<pre class="curl">') ? plain : withoutCurl);
    }),
    { numRuns: 200 },
  );
});

it('a template escapes for elements and attributes', () => {
  expect(html`<a title="${'"\'<&>'}">${[html`<b>${1}</b>`]}${undefined}</a>`.text).toBe(
    '<a title="&quot;&#39;&lt;&amp;&gt;"><b>1</b></a>',
  );
});

describeUnless(noBrowser, 'in a browser', () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
  beforeAll(async () => {
    browser = await shareBrowser();
  });
  afterAll(async () => {
    await closePages(browser);
    rmSync(folder, { recursive: true });
  });

  async function opened(found: Report, change: Parameters<Browser['newPage']>[0] = {}) {
    const path = join(folder, 'report.html');
    writeFileSync(path, htmlReport(found));
    const page = await browser.newPage({ viewport: { width: 360, height: 740 }, ...change });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    page.on('request', (request) => complaints.push(request.url()));
    const { href } = pathToFileURL(path);
    await page.goto(href);
    return { page, complaints: (): string[] => complaints.filter((one) => one !== href) };
  }

  const shown = (page: Page): Promise<string[]> =>
    page.locator('details.case:visible').evaluateAll((all) => all.map(({ id }) => id));

  it('opens from a disk, asks for nothing, and fits a phone', async () => {
    const { page, complaints } = await opened(await realReport(faultNamed('url-http')), { isMobile: true });
    await page.locator('details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
    const [width, room] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, window.innerWidth]');
    expect(width).toBe(room);
    expect(complaints()).toEqual([]);
  });

  it('filters by result, level and text, with the keyboard alone', async () => {
    const { page } = await opened(report());
    expect(await shown(page)).toHaveLength(8);
    await page.getByLabel('Result').selectOption('failed');
    expect(await shown(page)).toEqual(['creation/fields']);
    await page.getByLabel('Result').selectOption('');
    await page.getByLabel('Level').selectOption('observed');
    expect(await shown(page)).toEqual(['open/form', 'open/size']);
    await page.getByLabel('Level').selectOption('');
    await page.getByLabel('Text').focus();
    await page.keyboard.type('TICKET 42');
    expect(await shown(page)).toEqual(['creation/waived']);
    expect(await page.locator('output').textContent()).toBe('1 of 8 cases');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('#creation\\/waived').getAttribute('open')).toBe('');
  });

  it('shows everything without a script', async () => {
    const { page } = await opened(report(), { javaScriptEnabled: false });
    expect(await page.locator('details.case:visible').count()).toBe(8);
    expect(await page.locator('form:visible').count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)('can be read in %s colours', async (colorScheme) => {
    const { page } = await opened(report(), { colorScheme });
    await page.locator('details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
    const colours = await page.evaluate<[string, string][]>(COLOURS);
    const pairs = [...new Map(colours.map((pair) => [pair.join(), pair])).values()];
    expect(pairs.length).toBeGreaterThan(5);
    expect(pairs.filter(([text, ground]) => contrast(text, ground) < 4.5)).toEqual([]);
  });

  it('runs nothing that a server has sent', async () => {
    const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>';
    const change = { deliver: (_: unknown, response: { end: (text: string) => void }) => response.end(evil) };
    const { page, complaints } = await opened(await realReport({ change }));
    expect(await page.locator('pre', { hasText: evil }).count()).toBeGreaterThan(10);
    expect(complaints()).toEqual([]);
  });
});

/** Of each element the colours of its text and of the ground under it; evaluated in the browser. */
const COLOURS = `[...document.querySelectorAll('main *')].map((element) => {
  const grounds = [];
  for (let one = element; one !== null; one = one.parentElement) grounds.push(getComputedStyle(one).backgroundColor);
  return [getComputedStyle(element).color, grounds.find((one) => one !== 'rgba(0, 0, 0, 0)')];
})`;

/** Of two colours (Web Content Accessibility Guidelines 2.2, contrast ratio). */
function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
