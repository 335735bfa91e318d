// @module-tag sqlite-alone
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventReport } from '../support/batch.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';
import { badWidths, scrollsSideways, violations } from './support/accessibility.ts';
import { closePages, noBrowser, type OpenedPage, openPage, shareBrowser, visit } from './support/browser.ts';
import { type Schema, sendEvents, sendRejected } from './support/inspector.ts';
import { makeBranch } from './support/workspace.ts';

interface Mode {
  colorScheme: 'light' | 'dark';
  width: number;
}

/** 200 % of a window 1280 wide leaves 640 pixels of the page's own. */
const MODES: Record<string, Mode> = {
  light: { colorScheme: 'light', width: 1280 },
  dark: { colorScheme: 'dark', width: 1280 },
  '320 px wide': { colorScheme: 'light', width: 320 },
  'at 200 % zoom': { colorScheme: 'dark', width: 640 },
};

/** Four audits of a page take their time. */
const AUDIT_MS = 600_000;

const PAGES = [
  'the sign-in page',
  'the list of branches',
  'a filter that nothing fits',
  'a branch',
  'events',
  'no events yet',
  'an event',
  'the shapes of an event',
  'live batches',
  'issues',
  'resolved issues',
  'the issues of an event',
  'sources',
  'people',
  'accounts',
  'audit',
  'an unknown path',
];

const DIALOGS: [where: string, button: string][] = [
  ['the list of branches', 'Create branch'],
  ['the list of branches', 'Search'],
  ['the list of branches', 'Account of'],
  ['an event', 'Copy'],
  ['the shapes of an event', 'Copy'],
  ['sources', 'Create API key'],
  ['sources', 'Delete'],
  ['people', 'Invite'],
  ['people', 'Role'],
  ['people', 'New link'],
  ['accounts', 'Create account'],
];

/** As long as the name of an event may be, without a place to break a line. */
const LONG_NAME = 'wide'.repeat(256);

const NESTED: Schema = [
  { name: 'x'.repeat(1_024), type: 'string' },
  { name: 'user', type: 'object', properties: [{ name: 'age', type: 'int' }] },
  { name: 'tags', type: 'list', items: [{ type: 'string' }, { type: 'null' }] },
];

describeUnless(noBrowser, 'with axe', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: SignedIn;
  let paths: Record<string, string>;
  /** Who opens a page of another workspace. */
  let elsewhere: Record<string, SignedIn>;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await shareBrowser();
    admin = await server.signIn('admin');
    const branchId = await makeBranch(server, 'checkout-events', { as: admin, through: ['ReadyForReview'] });
    await makeBranch(server, 'old-idea', { through: ['Closed'] });
    const { origin } = server;
    await fetch(`${origin}${server.workspacePath}/api-keys/v1`, posted(admin, { source: 'android-shop' }));
    await fetch(
      `${origin}${server.workspacePath}/service-accounts/v1`,
      posted(admin, { name: 'ci', email: admin.email }),
    );
    await server.administration.workspaces.create('quiet');
    elsewhere = { 'no events yet': await server.signIn('admin', 'quiet') };
    await sendEvents(server, { events: [['Viewed', [{ name: 'price', type: 'int' }]], LONG_NAME] });
    await sendEvents(server, { events: [['Viewed', [{ name: 'price', type: 'string' }]]], appVersion: '1.5.0' });
    await sendEvents(server, { events: [[LONG_NAME, NESTED]] });
    paths = {
      'the sign-in page': '/sign-in?workspace=shop',
      'the list of branches': '/schemas/shop/branches',
      'a filter that nothing fits': '/schemas/shop/branches?status=Merged&text=nothing-is-called-so',
      'a branch': `/schemas/shop/branches/${branchId}`,
      events: '/schemas/shop/inspector',
      'no events yet': '/schemas/quiet/inspector',
      'an event': `/schemas/shop/inspector/events/${encodeURIComponent(LONG_NAME)}?split=appVersion`,
      'the shapes of an event': '/schemas/shop/inspector/events/Viewed?show=shapes&step=hour',
      'live batches': '/schemas/shop/inspector/live',
      issues: '/schemas/shop/inspector/issues',
      'resolved issues': '/schemas/shop/inspector/issues?state=resolved',
      'the issues of an event': '/schemas/shop/inspector/events/Viewed?show=issues',
      sources: '/schemas/shop/inspector/sources',
      people: '/schemas/shop/settings/people',
      accounts: '/schemas/shop/settings/accounts',
      audit: '/schemas/shop/settings/audit',
      'an unknown path': '/nothing/here',
    };
  });
  afterAll(async () => {
    await closePages(browser);
    await server.close();
  });

  async function expectAccessible({ page, complaints }: OpenedPage): Promise<void> {
    for (const [mode, { colorScheme, width }] of Object.entries(MODES)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 800 });
      expect(await violations(page), mode).toEqual([]);
      expect(await scrollsSideways(page), mode).toBe(false);
    }
    expect(await page.getByRole('alert').allTextContents()).not.toContainEqual(expect.stringMatching(/./));
    expect(complaints).toEqual([]);
  }

  it.each(PAGES)(
    '%s is accessible, and scrolls in one direction only, at any width',
    async (name) => {
      const opened = await openPage(browser, server, { as: elsewhere[name] ?? admin });
      await visit(opened.page, paths[name] ?? '');
      if (name === 'live batches') await showBatches(opened.page);
      await expectAccessible(opened);
      expect(await badWidths(opened.page)).toEqual([]);
      await opened.page.context().close();
    },
    AUDIT_MS,
  );

  /** One that was accepted, and one that was rejected with a long reason. */
  async function showBatches(page: Page): Promise<void> {
    await page.locator('.live-state', { hasText: 'Live' }).waitFor();
    await sendEvents(server, { events: [LONG_NAME, 'Viewed'] });
    await sendRejected(server, { ...eventReport(LONG_NAME, []), [LONG_NAME]: 7 });
    await page.getByText('1 rejected').waitFor();
  }

  it.each(DIALOGS)(
    'over %s, so is what “%s” opens',
    async (where, button) => {
      const opened = await openPage(browser, server, { as: admin });
      await visit(opened.page, paths[where] ?? '');
      await opened.page
        .getByRole('button', { name: new RegExp(`^${button}`) })
        .first()
        .click();
      await opened.page.locator('dialog[open], :popover-open').waitFor();
      await expectAccessible(opened);
      await opened.page.context().close();
    },
    AUDIT_MS,
  );
});

function posted({ cookie }: SignedIn, body: object): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body: JSON.stringify(body) };
}
