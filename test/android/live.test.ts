// @module-tag sqlite-alone
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { launchBrowser, noBrowser, openPage, visit } from '../console/support/browser.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { startTestServer } from '../support/server.ts';
import { missingShop, startShop } from './shop-process.ts';

/** How late each batch was shown, in milliseconds, from when the server received it; kept by the page itself. */
const OBSERVE = `(() => {
  window.lateness = [];
  const shown = new WeakSet();
  new MutationObserver(() => {
    for (const row of document.querySelectorAll('tbody tr')) {
      const time = row.querySelector('time');
      if (time === null || shown.has(row)) continue;
      shown.add(row);
      window.lateness.push(Date.now() - Date.parse(time.dateTime));
    }
  }).observe(document.querySelector('main'), { childList: true, subtree: true });
})()`;

describeUnless(missingShop() ?? noBrowser, 'a shop on a plain JVM', () => {
  it('shows in Live within a second, and what is rejected with its reason', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'branchline-live-'));
    const server = await startTestServer({ shapeLimit: 5 });
    const browser = await launchBrowser();
    const shop = await startShop('jvm', { endpoint: server.origin, key: server.apiKey, folder });
    try {
      const { page, complaints } = await openPage(browser, server, { as: await server.signIn('viewer') });
      await visit(page, '/schemas/shop/inspector/live');
      await page.locator('.live-state', { hasText: 'Live' }).waitFor();
      await page.evaluate(OBSERVE);
      await shop.customer('browse');
      await page.getByRole('rowheader', { name: 'App Opened' }).first().waitFor();
      const rejected = page.getByText(/this version of the app has 5 shapes already/).first();
      await rejected.waitFor();
      const row = page.getByRole('row').filter({ has: rejected });
      const cells = (await row.first().getByRole('cell').allInnerTexts()).slice(1, 5);
      expect(cells).toEqual(['android-shop', 'prod', '1.4.0', expect.stringMatching(/^branchline-inspector \d/)]);
      const lateness = await page.evaluate<number[]>('window.lateness');
      expect(lateness.toSorted((one, other) => one - other)[Math.floor(lateness.length / 2)]).toBeLessThan(1_000);
      expect(complaints).toEqual([]);
    } finally {
      await shop.kill();
      await browser.close();
      await server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
