// @module-tag both-engines
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { batchOf, eventReport } from '../support/batch.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';
import { closePages, noBrowser, openPage, shareBrowser, visit } from './support/browser.ts';
import { runShell } from './support/shell.ts';

const SOURCES = '/schemas/shop/inspector/sources';
const SETTINGS = '/schemas/shop/settings';

describeUnless(noBrowser, 'administering', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: SignedIn;

  beforeAll(async () => {
    // It is noon when the tests begin, so that it stays the same day.
    const began = Date.now();
    const noon = new Date(began).setUTCHours(12, 0, 0, 0);
    server = await startTestServer({ clock: () => noon + Date.now() - began, maxAccountRate: 100 });
    browser = await shareBrowser();
    admin = await server.signIn('admin');
  });
  afterAll(async () => {
    await closePages(browser);
    await server.close();
  });

  const open = (as = admin) => openPage(browser, server, { as });
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
  const copied = async (page: Page, name: string): Promise<string> =>
    (await page.getByRole('region', { name, exact: true }).last().textContent()) ?? '';

  it('an API key is shown once, its lines work as pasted, and deleting it takes effect at once', async () => {
    const { page, complaints } = await open();
    await visit(page, SOURCES);
    await press(page, 'Create API key');
    await page.getByLabel('Source').fill('console-app');
    await press(page, 'Create key');
    await page.getByRole('dialog', { name: 'API key of console-app' }).waitFor();
    const key = await copied(page, 'API key');
    expect(await copied(page, 'Kotlin lines')).toContain(`ServiceInspector("${key}", this, ServiceInspectorEnv.Dev)`);
    const line = await copied(page, 'curl line');
    expect(await runShell(line)).toContain('HTTP/1.1 200 OK');
    await press(page, 'I have kept it');
    expect(await page.content()).not.toContain(key);
    await press(page, 'Delete… the key of console-app');
    await press(page, 'Delete key');
    await page.getByRole('rowheader', { name: 'console-app' }).waitFor({ state: 'detached' });
    expect(await runShell(line)).toContain('HTTP/1.1 401');
    expect(complaints).toEqual([]);
  });

  it('a key and an account tell whether, when and with what they are used', async () => {
    const { text } = await server.administration.keys.create({
      workspaceId: 'shop',
      source: 'in-use',
      samplingRate: 1,
    });
    const { name, ...account } = await server.createAccount();
    const { page, complaints } = await open();
    const rowOf = (header: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: header, exact: true }) });
    const cell = (header: string, column: string) =>
      rowOf(header).locator(`td[data-column="${column}"]`).first().innerText();

    await visit(page, SOURCES);
    expect(await cell('in-use', 'Last used')).toContain('never');
    expect(await cell('in-use', 'Batches today (UTC)')).toBe('0');
    await visit(page, `${SETTINGS}/accounts`);
    expect(await cell(name, 'Last used')).toContain('never');
    expect(await cell(name, 'Rate')).toBe('server default');

    for (const version of ['1.0', '1.1', '1.1']) {
      const json = batchOf([eventReport('Viewed', [])], {
        library: { name: 'inspector', version, platform: 'android' },
      });
      await server.call({
        method: 'POST',
        path: '/inspector/batches/v1',
        as: null,
        headers: { 'api-key': text },
        json,
      });
    }
    await server.call({ path: `${server.workspacePath}/branches/v1`, as: { name, ...account } });
    await visit(page, SOURCES);
    expect(await cell('in-use', 'Batches today (UTC)')).toBe('3');
    expect(await rowOf('in-use').locator('td[data-column="Last used"] time').count()).toBe(1);
    expect(await rowOf('in-use').getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^inspector 1\.1 android, \d/),
      expect.stringMatching(/^inspector 1\.0 android, \d/),
    ]);
    await visit(page, `${SETTINGS}/accounts`);
    expect(await rowOf(name).locator('td[data-column="Last used"] time').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('a service account’s secret is shown once, its line works as pasted, and it may what was ticked', async () => {
    const { page, complaints } = await open();
    await visit(page, `${SETTINGS}/accounts`);
    await press(page, 'Create account');
    await page.getByLabel('Name').fill('nightly');
    const ticked = ['branches:create', 'branches:export'];
    for (const scope of ticked) await page.getByLabel(scope).uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Create account' }).click();
    const complaint = "document.querySelector('dialog input[type=checkbox]').validationMessage";
    expect(await page.evaluate(complaint)).toBe('Select at least one.');
    for (const scope of ticked) await page.getByLabel(scope).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('dialog', { name: /^Service account nightly-/ }).waitFor();
    const secret = await copied(page, 'secret');
    expect(await runShell(await copied(page, 'curl line'))).toContain('HTTP/1.1 200 OK');
    await press(page, 'I have kept it');
    expect(await page.content()).not.toContain(secret);
    const row = page.getByRole('row').filter({ hasText: 'nightly-' });
    expect(await row.getByRole('listitem').allTextContents()).toEqual(['branches:create', 'branches:export']);
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
    await row.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('an account that the operator does not allow is refused with a sentence, and what was typed is kept', async () => {
    const { page } = await open();
    await visit(page, `${SETTINGS}/accounts`);
    await press(page, 'Create account');
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Name').fill('too-fast');
    await dialog.getByText('Rate limit').click();
    await page.getByLabel('Requests per second and operation').fill('101');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await dialog.getByText('must be at most 100: this server allows no faster account.').waitFor();
    await page.getByLabel('Requests per second and operation').fill('100');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('dialog', { name: /^Service account too-fast-/ }).waitFor();
  });

  it('somebody is invited, gets another role and another link, and is removed', async () => {
    const { page, complaints } = await open();
    await visit(page, `${SETTINGS}/people`);
    await press(page, 'Invite');
    await page.getByLabel('E-mail').fill('new@example.com');
    await page.getByRole('radio', { name: 'Viewer' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const first = await copied(page, 'sign-in link');
    expect(first).toMatch(/\/sign-in#shop\./);
    await press(page, 'I have kept it');
    const row = page.getByRole('row').filter({ hasText: 'new@example.com' });
    expect(await row.getByRole('cell').first().textContent()).toBe('Viewer');
    expect(await row.getByRole('cell').nth(2).innerText()).toMatch(/^invited, not signed in yet\s+link until \d/);

    await press(page, 'Role… new@example.com');
    await page.getByRole('radio', { name: 'Editor' }).check();
    await press(page, 'Change role');
    await expect.poll(() => row.getByRole('cell').first().textContent()).toBe('Editor');

    await press(page, 'New link… new@example.com');
    await press(page, 'Make link');
    expect(await copied(page, 'sign-in link')).not.toBe(first);
    await press(page, 'I have kept it');

    await press(page, 'Remove… new@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('cell', { name: 'Invited', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('the last admin stays one, and the page says why', async () => {
    const { page } = await open();
    await visit(page, `${SETTINGS}/people`);
    await press(page, `Role… ${admin.email}`);
    await page.getByRole('radio', { name: 'Viewer' }).check();
    await press(page, 'Change role');
    await page.getByRole('dialog').getByText('A workspace needs an admin, and this is the last one.').waitFor();
    await press(page, 'Cancel');
    await press(page, `Remove… ${admin.email}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByText('A workspace needs an admin, and this is the last one.').waitFor();
  });

  it('is offered to admins alone', async () => {
    const { page } = await open(await server.signIn('editor'));
    await visit(page, SOURCES);
    expect(await page.locator('main').getByRole('button', { name: /key/ }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
    await visit(page, `${SETTINGS}/accounts`);
    await page.getByText('requires the role Admin').waitFor();
    await visit(page, `${SETTINGS}/people`);
    expect(await page.locator('main').getByRole('button').count()).toBe(0);
  });
});
