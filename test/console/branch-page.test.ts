// @module-tag sqlite-alone
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeUnless } from '../support/describe-unless.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';
import { violations } from './support/accessibility.ts';
import { closePages, noBrowser, type OpenedPage, openPage, shareBrowser, visit } from './support/browser.ts';
import { focused } from './support/keyboard.ts';
import { makeBranch } from './support/workspace.ts';

/** As many entries as a page of the activity has. */
const PAGE_SIZE = 50;

describeUnless(noBrowser, 'the page of a branch', () => {
  let server: TestServer;
  let browser: Browser;
  let editor: SignedIn;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await shareBrowser();
    editor = await server.signIn('editor');
  });
  afterAll(async () => {
    await closePages(browser);
    await server.close();
  });

  const open = (options: Parameters<typeof openPage>[2] = {}): Promise<OpenedPage> =>
    openPage(browser, server, { as: editor, ...options });
  const pathOf = (branchId: string): string => `/schemas/shop/branches/${branchId}`;

  /** What of the page can be seen, of these. */
  async function seen(page: Page, selectors: readonly string[]): Promise<string[]> {
    const visible = await Promise.all(
      selectors.map((selector) => page.locator(selector).filter({ visible: true }).count()),
    );
    return selectors.filter((_, index) => (visible[index] ?? 0) > 0);
  }

  it('prints what it tells, and nothing that is there to be clicked', async () => {
    const branchId = await makeBranch(server, 'for-the-minutes', { as: editor, through: ['ReadyForReview'] });
    await server.call({
      method: 'POST',
      path: `${server.workspacePath}/branches/${branchId}/collaborators/v1`,
      json: { collaboratorEmail: 'grace@example.com' },
    });
    const { page } = await open({ colorScheme: 'dark' });
    await visit(page, pathOf(branchId));
    await page.getByText('Collaborator added: grace@example.com').waitFor();
    const told = [
      '.workspace',
      'h1',
      '.heading .status',
      '#facts',
      '.facts',
      '#collaborators',
      '#activity',
      '.activity li',
    ];
    const clicked = ['nav', '.search-button', '.account', '.branch-actions', 'main button', 'main form', 'main input'];
    expect(await seen(page, [...told, ...clicked])).toEqual([...told, ...clicked]);

    await page.emulateMedia({ media: 'print' });
    expect(await seen(page, [...told, ...clicked])).toEqual(told);
    const paper = await page.locator('main').innerText();
    for (const text of ['Created', editor.email, 'Ready for review', 'grace@example.com', 'Created as for-the-minutes'])
      expect(paper).toContain(text);
    // Dark text on paper, whatever the screen shows.
    const colour = await page.evaluate<string>('getComputedStyle(document.body).color');
    expect(Math.max(...(colour.match(/\d+/g) ?? []).map(Number))).toBeLessThan(100);
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('keeps the focus beside what may be done next', async () => {
    const { page } = await open();
    await visit(page, pathOf(await makeBranch(server, 'by-keyboard')));
    await page.getByRole('button', { name: 'Mark ready for review' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Approve');
    await page.getByRole('button', { name: 'Record publication' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('The publication was recorded.').waitFor();
    expect(await focused(page)).toBe('Record publication');
  });

  it('takes one step for a double click, and for Enter held down', async () => {
    const { page } = await open();
    const ready = page.getByRole('button', { name: 'Mark ready for review' });
    const approve = page.getByRole('button', { name: 'Approve' });
    await visit(page, pathOf(await makeBranch(server, 'clicked-twice')));
    const { x = 0, y = 0 } = (await ready.boundingBox()) ?? {};
    await page.mouse.click(x + 5, y + 5);
    await approve.waitFor();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await page.reload();
    await approve.waitFor();

    await visit(page, pathOf(await makeBranch(server, 'held-down')));
    await ready.focus();
    await page.keyboard.down('Enter');
    await approve.waitFor();
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.reload();
    await approve.waitFor();
  });

  it('says whether a collaborator is new', async () => {
    const { page } = await open();
    await visit(page, pathOf(await makeBranch(server, 'many-hands')));
    for (const said of ['Added grace@example.com.', 'grace@example.com is a collaborator already.']) {
      await page.getByLabel('Add by e-mail').fill('grace@example.com');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('status').getByText(said).waitFor();
      expect(await page.getByLabel('Add by e-mail').inputValue()).toBe('');
    }
    await page.getByLabel('Add by e-mail').fill('grace');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Enter an e-mail, such as ada@example.com.').waitFor();
  });

  it('has a mistake said in place, and asks before Escape loses what was typed', async () => {
    const { page } = await open();
    await visit(page, '/schemas/shop/branches');
    await page.getByRole('button', { name: 'Create branch' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.locator('.mistake').waitFor();
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('INPUT');
    await page.keyboard.type('half-a-na');
    expect(await dialog.locator('.mistake').count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.getByText('Discard what you typed?').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.type('me');
    await dialog.getByText('Discard what you typed?').waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Name').inputValue()).toBe('half-a-name');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('has an activity of several pages, which the address names and which stays where it is', async () => {
    const branchId = await makeBranch(server, 'eventful');
    const path = `${server.workspacePath}/branches/${branchId}/status/v1`;
    for (let change = 1; change < PAGE_SIZE + 10; change += 1) {
      const branchStatus = change % 2 === 1 ? 'ReadyForReview' : 'Draft';
      await server.call({ method: 'PUT', path, json: { branchStatus } });
    }
    const { page, complaints } = await open();
    await visit(page, pathOf(branchId));
    const entries = page.locator('.activity li');
    const numbers = (): Promise<(string | null)[]> =>
      entries.evaluateAll((all) => all.map((entry) => entry.getAttribute('value')));
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => String(from + at));

    await entries.first().waitFor();
    expect(await numbers()).toEqual(range(1, PAGE_SIZE));
    await page.getByRole('link', { name: 'Later activity' }).click();
    await expect.poll(numbers).toEqual(range(PAGE_SIZE + 1, PAGE_SIZE + 10));
    expect(new URL(page.url()).searchParams.has('cursor')).toBe(true);
    expect(await page.getByRole('link', { name: 'Later activity' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Record publication' }).click();
    await expect.poll(numbers).toEqual(range(PAGE_SIZE + 1, PAGE_SIZE + 11));
    await page.reload();
    await expect.poll(numbers).toEqual(range(PAGE_SIZE + 1, PAGE_SIZE + 11));
    await page.getByRole('link', { name: 'First page' }).click();
    await expect.poll(numbers).toEqual(range(1, PAGE_SIZE));
    await page.goBack();
    await expect.poll(numbers).toEqual(range(PAGE_SIZE + 1, PAGE_SIZE + 11));
    expect(complaints).toEqual([]);
  });
});
