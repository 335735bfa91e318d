// @module-tag both-engines
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventReport } from '../support/batch.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';
import { closePages, noBrowser, openPage, shareBrowser, visit } from './support/browser.ts';
import { sendEvents, sendRejected } from './support/inspector.ts';

const LIVE = '/schemas/shop/inspector/live';

describeUnless(noBrowser, 'Live', () => {
  let server: TestServer;
  let browser: Browser;
  let viewer: SignedIn;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await shareBrowser();
    viewer = await server.signIn('viewer');
  });
  afterAll(async () => {
    await closePages(browser);
    await server.close();
  });

  async function openLive(query = '') {
    const opened = await openPage(browser, server, { as: viewer });
    await visit(opened.page, LIVE + query);
    await state(opened.page, 'Live');
    return opened;
  }

  const state = (page: Page, text: string) => page.locator('.live-state', { hasText: text }).waitFor();
  const names = (page: Page) => page.locator('main').getByRole('rowheader').allInnerTexts();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('is reached from every page, and says what it waits for', async () => {
    const { page, complaints } = await openPage(browser, server, { as: viewer });
    await visit(page, '/schemas/shop/branches');
    await page.getByRole('link', { name: 'Live', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Live' }).waitFor();
    await page.getByText('Waiting for a batch…').waitFor();
    await state(page, 'Live');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows each batch as it arrives, the newest first, with its receipt and the reason of what was rejected', async () => {
    const { page, complaints } = await openLive();
    await sendEvents(server, { events: ['Viewed', 'Viewed', 'Paid \u202Eback'], appVersion: '1.5.0' });
    await expect.poll(() => names(page)).toEqual(['Viewed × 2\nPaid U+202Eback']);
    await sendRejected(server, { ...eventReport('Checkout', []), value: 7 });
    await expect.poll(() => names(page)).toEqual(['Checkout', 'Viewed × 2\nPaid U+202Eback']);
    const [, rejected, accepted] = await page.getByRole('row').all();
    expect(await rejected?.getByRole('cell').allInnerTexts()).toEqual([
      '1 rejected\nCheckout: The item must not have the field "value".',
      'android-shop',
      'dev',
      '1.4.0',
      'test 1',
      expect.stringMatching(/^\d\d:\d\d:\d\d$/),
    ]);
    expect(await accepted?.getByRole('cell').first().innerText()).toBe('3 accepted');
    expect(await accepted?.locator('time').getAttribute('title')).toMatch(/ UTC$/);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is filtered, in the address', async () => {
    const { page } = await openLive();
    await sendEvents(server, { events: ['Before'] });
    await expect.poll(() => names(page)).toEqual(['Before']);
    await page.getByLabel('With rejections').check();
    await page.waitForURL(/withRejections=true/);
    await page.getByText('Waiting for a batch…').waitFor();
    await state(page, 'Live');
    await sendEvents(server, { events: ['Accepted'] });
    await sendRejected(server, { ...eventReport('Refused', []), value: 7 });
    await expect.poll(() => names(page)).toEqual(['Refused']);
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect.poll(() => names(page)).toEqual(['Refused', 'Before']);
    await page.context().close();

    const opened = await openLive('?text=chosen&environment=dev');
    await sendEvents(server, { events: ['chosen'] });
    await sendEvents(server, { events: ['not this'], environment: 'dev' });
    await sendEvents(server, { events: ['Chosen one'], environment: 'dev' });
    await expect.poll(() => names(opened.page)).toEqual(['Chosen one']);
    await opened.page.context().close();
  });

  it('stands still while it is paused, and then shows what has come', async () => {
    const { page } = await openLive();
    await sendEvents(server, { events: ['First'] });
    await expect.poll(() => names(page)).toEqual(['First']);
    await button(page, 'Pause').click();
    await sendEvents(server, { events: ['Second'] });
    await sendEvents(server, { events: ['Third'] });
    await state(page, 'Paused: 2 waiting');
    expect(await names(page)).toEqual(['First']);
    await button(page, 'Resume').click();
    await state(page, 'Live');
    expect(await names(page)).toEqual(['Third', 'Second', 'First']);
    await page.context().close();
  });

  it('goes on from where the connection broke', async () => {
    const { page } = await openLive();
    await sendEvents(server, { events: ['Before'] });
    await expect.poll(() => names(page)).toEqual(['Before']);
    await page.context().setOffline(true);
    server.breakConnections();
    await state(page, 'Reconnecting…');
    await sendEvents(server, { events: ['Meanwhile'] });
    await page.context().setOffline(false);
    await state(page, 'Live');
    await expect.poll(() => names(page)).toEqual(['Meanwhile', 'Before']);
    await page.context().close();
  });

  it('reads nothing while the page can not be seen, and shows it afterwards', async () => {
    const { page } = await openLive();
    await sendEvents(server, { events: ['Before'] });
    await expect.poll(() => names(page)).toEqual(['Before']);
    const see = (visibilityState: 'hidden' | 'visible') =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${visibilityState}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`,
      );
    const left = page.waitForEvent('requestfailed');
    await see('hidden');
    await left;
    await sendEvents(server, { events: ['Meanwhile'] });
    await see('visible');
    await expect.poll(() => names(page)).toEqual(['Meanwhile', 'Before']);
    await page.context().close();
  });

  it('says that the session is over when it is', async () => {
    const gone = await server.signIn('viewer');
    const { page } = await openPage(browser, server, { as: gone });
    await visit(page, LIVE);
    await state(page, 'Live');
    await server.call({
      method: 'DELETE',
      path: '/workspaces/shop/sessions/current/v1',
      as: null,
      headers: { cookie: gone.cookie },
    });
    await page
      .getByText(/session has ended/)
      .first()
      .waitFor();
    await page.context().close();
  });

  it('shows the last 200 of many, and says what it could not show', async () => {
    const { page } = await openLive();
    for (let sent = 0; sent < 240; sent += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, n) => sendEvents(server, { events: [`Event ${sent + n}`] })));
    }
    await sendEvents(server, { events: ['Last'] });
    await expect.poll(async () => (await names(page))[0]).toBe('Last');
    expect((await names(page)).length).toBeLessThanOrEqual(200);
    await page.context().close();
  });
});
