// @module-tag sqlite-alone
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeUnless } from '../support/describe-unless.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';
import { violations } from './support/accessibility.ts';
import { closePages, noBrowser, openPage, shareBrowser, visit } from './support/browser.ts';
import { sendEvents } from './support/inspector.ts';

const EVENTS = '/schemas/shop/inspector';
const LONG = 'x'.repeat(1_024);

describeUnless(noBrowser, 'names of events and properties', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: SignedIn;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await shareBrowser();
    admin = await server.signIn('admin');
    await sendEvents(server, {
      events: [
        '   ',
        '\u2800',
        [
          LONG,
          [
            { name: LONG, type: 'string' },
            { name: ' ', type: 'int' },
          ],
        ],
      ],
    });
  });
  afterAll(async () => {
    await closePages(browser);
    await server.close();
  });

  it.each([
    ['   ', 'U+0020U+0020U+0020'],
    ['\u2800', 'U+2800'],
  ])('%j, of which nothing would be seen, shows as numbers in lists, headings and titles', async (name, shown) => {
    const { page } = await openPage(browser, server, { as: admin });
    await visit(page, EVENTS);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: shown, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: shown, exact: true }).waitFor();
    expect(await page.title()).toBe(`${shown.replaceAll(/U\+\w{4}/g, '⟨$&⟩')} · Branchline`);
    expect(new URL(page.url()).pathname.split('/').at(-1)).toBe(encodeURIComponent(name));
  });

  it('a long one leaves room for all else, and can be read whole', async () => {
    const { page } = await openPage(browser, server, { as: admin, viewport: { width: 320, height: 640 } });
    await visit(page, `${EVENTS}/events/${LONG}`);
    const heading = page.getByRole('heading', { level: 1 });
    const heightOf = async () => (await heading.boundingBox())?.height ?? 0;
    expect(await heightOf()).toBeLessThan(160);
    await page.getByRole('button', { name: 'Whole name' }).click();
    await expect.poll(heightOf).toBeGreaterThan(640);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Part of the name of a page, branch or event' }).fill('xxx');
    const option = page.getByRole('option').filter({ hasText: LONG });
    const kind = option.getByText('Event', { exact: true });
    await expect.poll(async () => (await kind.boundingBox())?.height).toBeLessThan(32);
    expect((await option.boundingBox())?.height).toBeLessThan(160);
  });

  it('a long one of a property leaves the other columns their width', async () => {
    const { page } = await openPage(browser, server, { as: admin, viewport: { width: 1024, height: 768 } });
    await visit(page, `${EVENTS}/events/${LONG}`);
    const row = page.getByRole('row').filter({ hasText: LONG });
    for (const cell of await row.getByRole('cell').all()) {
      expect((await cell.boundingBox())?.width).toBeGreaterThan(120);
    }
    expect((await row.boundingBox())?.height).toBeLessThan(200);
    await page.getByRole('rowheader', { name: 'U+0020', exact: true }).waitFor();
  });
});
