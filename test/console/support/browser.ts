import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { SignedIn, TestServer } from '../../support/server.ts';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const executablePath = BROWSERS.find((path) => existsSync(path));

/** Why tests in a browser can not run here; undefined where they can. */
export const noBrowser = executablePath === undefined ? 'Chromium is not installed' : undefined;

/** Chromium takes the last list of a command line alone, so it begins with what Playwright has in its own. */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  // The suggestions of the address bar are a page of each window, which takes twice the work of the page that is tested.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

/** How long is waited for whatever a page is to show or do. */
const PATIENCE_MS = 90_000;

/** A browser of its own, for whoever measures. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? '',
    timeout: 2 * PATIENCE_MS,
    args: ['--no-sandbox', `--disable-features=${DISABLED_FEATURES.join(',')}`],
  });
}

let shared: Promise<Browser> | undefined;

/** The one browser of the files that this process runs, one after the other. It ends with the process. */
export function shareBrowser(): Promise<Browser> {
  return (shared ??= launchBrowser());
}

/** Closes all that a file has opened in the shared browser. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** A page of the console, and all that it did which no page of it may do. */
export interface OpenedPage {
  page: Page;
  /** Requests to other origins, violations of the policy, errors that nothing caught. */
  complaints: string[];
}

/** What pages share that belong to one person, in the language of the tests. */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** A browser of its own, with the person's cookie. */
export async function openPage(
  browser: Browser,
  server: Pick<TestServer, 'origin'>,
  { as, ...options }: BrowserContextOptions & { as?: SignedIn | undefined } = {},
): Promise<OpenedPage> {
  const context = await newContext(browser, { baseURL: server.origin, timezoneId: 'UTC', ...options });
  if (as !== undefined) {
    const [name = '', value = ''] = as.cookie.split('=', 2);
    await context.addCookies([{ name, value, url: server.origin, httpOnly: true, sameSite: 'Lax' }]);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error.stack)));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${server.origin}/`) && !request.url().startsWith('blob:'))
      complaints.push(request.url());
  });
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  return { page, complaints };
}

/** Goes to a page, and waits until it shows what it was opened for. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('main:not(:has(.loading))').waitFor();
}

/** What the list of branches reads of the server: nothing follows. */
const READ_BY_LIST = [/\/sessions\/current\/v1$/, /\/branches\/v1\?/, /\/branches\/counts\/v1$/];

/** Loads the list of branches, where the page is, anew; nothing is asked of the server any more. */
export async function reloadList(page: Page): Promise<void> {
  const list = page.url();
  // Or what is still under way since the page was opened would pass for the answers.
  await page.goto('about:blank');
  const answers = READ_BY_LIST.map(async (url) => (await page.waitForResponse(url)).finished());
  await page.goto(list);
  await Promise.all(answers);
}
