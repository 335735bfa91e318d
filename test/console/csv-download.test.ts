// @module-tag sqlite-alone
import { readFile } from 'node:fs/promises';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeUnless } from '../support/describe-unless.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';
import { closePages, noBrowser, openPage, shareBrowser, visit } from './support/browser.ts';
import { makeBranch } from './support/workspace.ts';

/** More than two of the pages that the file is made of. */
const BRANCHES = 450;

const LIST = '/schemas/shop/branches?sort=oldest';

describeUnless(noBrowser, 'the CSV of a long list', () => {
  let server: TestServer;
  let browser: Browser;
  let viewer: SignedIn;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await shareBrowser();
    viewer = await server.signIn('viewer');
    const names = Array.from({ length: BRANCHES }, (_, index) => `branch-${String(index).padStart(3, '0')}`);
    for (let start = 0; start < BRANCHES; start += 50)
      await Promise.all(names.slice(start, start + 50).map((name) => makeBranch(server, name)));
  });
  afterAll(async () => {
    await closePages(browser);
    await server.close();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const names = (page: Page) => page.getByRole('rowheader').allTextContents();

  /** Opens the list; from then on each further page of a file waits until it is let go. */
  async function openWithGate() {
    const { page, complaints } = await openPage(browser, server, { as: viewer });
    const waiting: Route[] = [];
    const failed: string[] = [];
    let asked = 0;
    page.on('requestfailed', (request) => failed.push(request.url()));
    await page.route(/\/branches\/v1\?.*limit=200/, async (route) => {
      asked += 1;
      if (route.request().url().includes('cursor=')) waiting.push(route);
      else await route.continue();
    });
    const letGo = async (): Promise<void> => {
      await expect.poll(() => waiting.length).toBe(1);
      await waiting.shift()?.continue();
    };
    await visit(page, LIST);
    return { page, complaints, failed, letGo, asked: () => asked, held: () => waiting.length };
  }

  it('says how far it is, and is all that the pages of the list show, in their order', async () => {
    const { page, complaints, letGo } = await openWithGate();
    const downloading = page.waitForEvent('download');
    await button(page, 'CSV').click();
    const status = page.getByRole('status');
    await status.filter({ hasText: '200 rows…' }).waitFor();
    await letGo();
    await status.filter({ hasText: '400 rows…' }).waitFor();
    await letGo();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('branches-shop.csv');
    await button(page, 'CSV').waitFor();

    const rows = (await readFile(await download.path(), 'utf8')).split('\r\n').slice(1, -1);
    const shown: string[] = [];
    for (;;) {
      await page.locator('table[aria-busy=false]').waitFor();
      const before = shown.length;
      shown.push(...(await names(page)));
      const next = page.getByRole('link', { name: 'Next page' });
      if ((await next.count()) === 0) break;
      await next.click();
      await expect.poll(() => names(page)).not.toEqual(shown.slice(before));
    }
    expect(shown).toHaveLength(BRANCHES);
    expect(rows.map((row) => row.split(',', 1)[0])).toEqual(shown);
    expect(complaints).toEqual([]);
  });

  it('is given up by Cancel: what is asked for is broken off, nothing more is, and no file is saved', async () => {
    const { page, complaints, failed, asked, held } = await openWithGate();
    let downloads = 0;
    page.on('download', () => (downloads += 1));
    await button(page, 'CSV').click();
    await page.getByRole('status').filter({ hasText: '200 rows…' }).waitFor();
    await expect.poll(held).toBe(1);
    await button(page, 'Cancel').click();
    await button(page, 'CSV').waitFor();
    await expect.poll(() => failed).toEqual([expect.stringContaining('cursor=')]);
    // Whatever is done next finds all as it was, and nothing under way.
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForURL(/cursor=/);
    await page.waitForLoadState('networkidle');
    expect([asked(), downloads]).toEqual([2, 0]);
    expect(complaints).toEqual([]);
  });

  it('is given up when the page is left', async () => {
    const { page, failed, asked, held } = await openWithGate();
    await button(page, 'CSV').click();
    await expect.poll(held).toBe(1);
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    await expect.poll(() => failed).toEqual([expect.stringContaining('cursor=')]);
    expect(asked()).toBe(2);
  });
});
