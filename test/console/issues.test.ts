// @module-tag both-engines
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { visibleText } from '../../console/src/parts/visible-text.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';
import { closePages, noBrowser, type OpenedPage, openPage, shareBrowser, visit } from './support/browser.ts';
import { type Schema, sendEvents } from './support/inspector.ts';

const ISSUES = '/schemas/shop/inspector/issues';

const PRICE = (type: 'int' | 'string'): Schema => [{ name: 'price', type }];

/** Would harm a page, or whoever reads it. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202Egnp.exe\u0001';

describeUnless(noBrowser, 'issues', () => {
  let server: TestServer;
  let browser: Browser;
  let editor: SignedIn;
  let viewer: SignedIn;
  /** Of the server. */
  let now = Date.UTC(2026, 1, 3, 12);

  beforeAll(async () => {
    server = await startTestServer({ clock: () => (now += 1) });
    browser = await shareBrowser();
    [editor, viewer] = [await server.signIn('editor'), await server.signIn('viewer')];
    await sendEvents(server, {
      events: [
        ['Paid', PRICE('int')],
        ['Paid', PRICE('string')],
      ],
    });
    await sendEvents(server, { events: [['Seen', PRICE('int')], 'seen'], environment: 'dev' });
    await sendEvents(server, { events: [HOSTILE, HOSTILE.toUpperCase()], appVersion: '1.5.0' });
  });
  afterAll(async () => {
    await closePages(browser);
    await server.close();
  });
  beforeEach(async () => {
    for (const state of ['resolved', 'ignored']) {
      for (const { issueId } of await list(`?state=${state}`)) await change(issueId, 'open');
    }
  });

  async function list(query: string): Promise<{ issueId: string }[]> {
    const answer = await server.call({ path: `${server.workspacePath}/inspector/issues/v1${query}` });
    return (answer.json() as { issues: { issueId: string }[] }).issues;
  }

  function change(issueId: string, state: string) {
    const path = `${server.workspacePath}/inspector/issues/${issueId}/state/v1`;
    return server.call({ method: 'PUT', path, as: null, headers: { cookie: editor.cookie }, json: { state } });
  }

  async function idOf(kind: string): Promise<string> {
    const [issue] = await list(`?kind=${kind}`);
    return issue?.issueId ?? '';
  }

  const open = (as = editor): Promise<OpenedPage> => openPage(browser, server, { as });
  const subjects = (page: Page): Promise<string[]> => page.locator('main').getByRole('rowheader').allTextContents();
  const row = (page: Page, kind: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: kind }) });

  it('say what is wrong, where, and how many events it affects', async () => {
    const { page, complaints } = await open();
    await visit(page, ISSUES);
    expect(await subjects(page)).toEqual(expect.arrayContaining(['Type conflictprice', 'Name variant']));
    const cells = (await row(page, 'Type conflict').getByRole('cell').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' ').trim(),
    );
    expect(cells.slice(0, 4)).toEqual([
      'Paid',
      'Also comes as string; it was int first. Where each type was seen',
      'android-shop prod · 1.4.0',
      '50%',
    ]);
    await row(page, 'Type conflict').getByRole('link', { name: 'Paid' }).click();
    await page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('show whatever an app calls its events as text', async () => {
    const { page, complaints } = await open();
    await visit(page, `${ISSUES}?kind=nameVariant&environment=prod`);
    const link = page.getByRole('link').filter({ hasText: 'ONERROR' });
    await link.waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect((await link.innerText()).replaceAll(/\s/g, '')).toContain('U+202EGNP.EXEU+0001');
    await link.click();
    await expect.poll(() => page.title()).toBe(`${visibleText(HOSTILE.toUpperCase())} · Branchline`);
    expect(complaints).toEqual([]);
  });

  it('are filtered, and the filters stand in the address', async () => {
    const { page } = await open(viewer);
    await visit(page, ISSUES);
    await page.getByLabel('Kind').selectOption('Type conflict');
    await page.waitForURL('**/issues?kind=typeConflict');
    await expect.poll(() => subjects(page)).toEqual(['Type conflictprice']);
    await page.getByLabel('Environment').selectOption('dev');
    await page.getByText('No issue matches these filters.').waitFor();
    await page.goBack();
    await expect.poll(() => subjects(page)).toEqual(['Type conflictprice']);
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByLabel('Event', { exact: true }).fill('SEE');
    await page.waitForURL('**/issues?text=SEE');
    await expect.poll(() => subjects(page)).toEqual(['Name variant']);
    await page.getByLabel('State').selectOption('Resolved');
    await page.getByText('No issue matches these filters.').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByLabel('State').selectOption('Resolved');
    await page.getByText('No resolved issues yet.').waitFor();
  });

  it('are resolved and opened again by keyboard, with who did and when', async () => {
    const { page, complaints } = await open();
    await visit(page, `${ISSUES}?kind=typeConflict`);
    await row(page, 'Type conflict').getByRole('button', { name: 'Resolve' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('The issue was resolved.').waitFor();
    await page.getByText('No issue matches these filters.').waitFor();
    // The focus is not lost with the button.
    expect(await page.evaluate<string>('document.activeElement.className')).toBe('issues');
    await page.getByLabel('State').selectOption('Resolved');
    await page.getByText(`Resolved by ${editor.email}`).waitFor();
    await row(page, 'Type conflict').getByRole('button', { name: 'Open again' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('The issue is open again.').waitFor();
    await page.getByLabel('State').selectOption('Open');
    await page.getByText(`Opened again by ${editor.email}`).waitFor();
    expect(complaints).toEqual([]);
  });

  it('are ignored in their environment, and not ignored any more', async () => {
    const { page } = await open();
    await visit(page, `${ISSUES}?text=seen`);
    await page.getByRole('button', { name: 'Ignore in dev' }).click();
    await page.getByText('No issue matches these filters.').waitFor();
    await visit(page, `${ISSUES}?state=ignored`);
    await page.getByText(`Ignored by ${editor.email}`).waitFor();
    await page.getByRole('button', { name: 'Stop ignoring' }).click();
    await page.getByText('No ignored issues.').waitFor();
  });

  it('that somebody else has decided on meanwhile are shown as they are', async () => {
    const { page } = await open();
    await visit(page, `${ISSUES}?kind=typeConflict`);
    await change(await idOf('typeConflict'), 'ignored');
    await row(page, 'Type conflict').getByRole('button', { name: 'Resolve' }).click();
    await page
      .getByRole('alert')
      .getByText(`This issue was ignored by ${editor.email} and can't become resolved.`)
      .waitFor();
    await page.getByText('No issue matches these filters.').waitFor();
  });

  it('say so in place when a change is refused for a while', async () => {
    const { page } = await open();
    await visit(page, `${ISSUES}?kind=typeConflict`);
    await page.route('**/state/v1', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '7', 'content-type': 'application/json' },
        body: '{"error":"Too many requests."}',
      }),
    );
    await row(page, 'Type conflict').getByRole('button', { name: 'Resolve' }).click();
    await row(page, 'Type conflict').getByRole('alert').getByText('Too many requests. Try again in').waitFor();
  });

  it('can not be changed by a viewer', async () => {
    const { page } = await open(viewer);
    await visit(page, ISSUES);
    await row(page, 'Type conflict').waitFor();
    expect(await page.locator('main').getByRole('button').count()).toBe(0);
  });

  it('hand the focus on to the next once one is resolved', async () => {
    const { page } = await open();
    await visit(page, ISSUES);
    await page.getByRole('button', { name: 'Resolve' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('The issue was resolved.').waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.tagName')).toBe('TR');
    // Enter held down does nothing to it.
    const left = await page.getByRole('button', { name: 'Resolve' }).count();
    await page.keyboard.press('Enter');
    await page.reload();
    await expect.poll(() => page.getByRole('button', { name: 'Resolve' }).count()).toBe(left);
  });

  it('are told of before there are any', async () => {
    await server.administration.workspaces.create('new');
    const { page } = await open(await server.signIn('viewer', 'new'));
    await visit(page, '/schemas/new/inspector/issues');
    await page.getByText('No open issues. As apps send events, the following appear here within seconds:').waitFor();
  });
});
