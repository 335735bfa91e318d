// @module-tag both-engines
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeUnless } from '../support/describe-unless.ts';
import { startProvider, type TestProvider } from '../support/oidc-provider.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { violations } from './support/accessibility.ts';
import { closePages, noBrowser, openPage, reloadList, shareBrowser, visit } from './support/browser.ts';
import { makeBranch } from './support/workspace.ts';

const LIST = '/schemas/shop/branches';

describeUnless(noBrowser, 'signing in at an OIDC provider', () => {
  let provider: TestProvider;
  let server: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    provider = await startProvider({ redirectUri: () => `${server.origin}/sign-in/oidc` });
    server = await startTestServer({ oidc: provider.settings, webOrigin: 'own' });
    browser = await shareBrowser();
    await makeBranch(server, 'some-branch');
  });
  afterAll(async () => {
    await closePages(browser);
    await server.close();
    await provider.close();
  });

  /** Somebody whom the provider knows, and who was invited unless said otherwise. */
  async function person(name: string, { isInvited = true } = {}): Promise<void> {
    const email = `${name}@example.com`;
    provider.people.set(name, { sub: `subject-of-${name}`, email, email_verified: true });
    const wanted = { workspaceId: 'shop', email, role: 'admin', by: undefined } as const;
    if (isInvited) await server.administration.users.invite(wanted);
  }

  const leave = (page: Page) => page.getByRole('button', { name: /^Sign in with localhost:\d+$/ }).click();
  const alert = (page: Page) => page.getByRole('alert').filter({ hasText: /./ });

  async function signInThere(page: Page, name: string): Promise<void> {
    await page.waitForURL(`${provider.settings.issuer}/**`);
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('leads there and back to the page that was asked for, and leaves no trace in the address', async () => {
    await person('ada');
    const { page, complaints } = await openPage(browser, server);
    await page.goto(`${LIST}?status=Draft`);
    await page.waitForURL('**/sign-in?workspace=shop&return=*');
    await leave(page);
    await signInThere(page, 'ada');
    await page.waitForURL(`${server.origin}${LIST}?status=Draft`);
    await page.getByRole('rowheader', { name: 'some-branch' }).waitFor();
    await page.getByRole('button', { name: 'Account of ada@example.com' }).waitFor();
    // Only the provider's own pages were asked elsewhere.
    expect(complaints.filter((one) => !one.startsWith(`${provider.settings.issuer}/`))).toEqual([]);
    const cookies = await page.context().cookies(server.origin);
    expect(cookies).toEqual([expect.objectContaining({ name: 'branchline-session', httpOnly: true, sameSite: 'Lax' })]);
    // Whoever goes back does not come to the way back again.
    await page.goBack();
    expect(page.url()).not.toContain('code=');

    await visit(page, '/schemas/shop/settings/audit');
    await page.getByRole('cell', { name: /^ada@example\.com as admin, bound to subject-of-ada of http/ }).waitFor();
  });

  it('is offered on a page that is accessible, and takes a workspace', async () => {
    const { page, complaints } = await openPage(browser, server);
    await visit(page, '/sign-in');
    await leave(page);
    expect(await page.evaluate<string>('document.activeElement?.getAttribute("name") ?? ""')).toBe('workspace');
    await page.getByLabel('Workspace').fill('No such');
    await leave(page);
    await alert(page).filter({ hasText: 'This can be no workspace' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('that was not agreed to says so, and can be tried again for the same page', async () => {
    await person('grace');
    const { page } = await openPage(browser, server);
    await page.goto(`${LIST}?status=Draft`);
    await leave(page);
    await page.getByRole('button', { name: 'Refuse' }).click();
    await alert(page).filter({ hasText: 'was not agreed to' }).waitFor();
    expect(page.url()).toBe(`${server.origin}/sign-in/oidc`);
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await leave(page);
    await signInThere(page, 'grace');
    await page.waitForURL(`${server.origin}${LIST}?status=Draft`);
  });

  it('lets in nobody who was not invited', async () => {
    await person('eve', { isInvited: false });
    const { page } = await openPage(browser, server);
    await visit(page, '/sign-in?workspace=shop');
    await leave(page);
    await signInThere(page, 'eve');
    await alert(page).filter({ hasText: 'eve@example.com has not been invited to the workspace shop' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('returns to no other site', async () => {
    await person('mary');
    const { page } = await openPage(browser, server);
    await visit(page, '/sign-in?workspace=shop&return=//evil.example/');
    await leave(page);
    await signInThere(page, 'mary');
    await page.waitForURL(`${server.origin}${LIST}`);
  });

  it('that names no workspace is begun anew', async () => {
    const { page } = await openPage(browser, server);
    await visit(page, '/sign-in/oidc?code=x&state=..%2f..%2f.x');
    await page.waitForURL(`${server.origin}/sign-in`);
    expect(await alert(page).count()).toBe(0);
  });

  it('is not finished by a link that somebody else sends', async () => {
    await person('mallory');
    const { page: foreign } = await openPage(browser, server);
    let back = '';
    foreign.on('request', (request) => {
      if (request.url().startsWith(`${server.origin}/sign-in/oidc?`)) back = request.url();
    });
    await foreign.route('**/finish/v1', (route) => route.abort());
    await visit(foreign, '/sign-in?workspace=shop');
    await leave(foreign);
    await signInThere(foreign, 'mallory');
    await alert(foreign).filter({ hasText: "The server can't be reached." }).waitFor();
    expect(back).toContain('code=');
    const { page } = await openPage(browser, server);
    await page.goto(back);
    await alert(page).filter({ hasText: 'was begun in another browser' }).waitFor();
    expect(await page.context().cookies(server.origin)).toEqual([]);
  });

  it('in another tab goes on with a page whose session has ended', async () => {
    await person('joan');
    const { page } = await openPage(browser, server);
    await visit(page, '/sign-in?workspace=shop');
    await leave(page);
    await signInThere(page, 'joan');
    await page.waitForURL(`${server.origin}${LIST}`);
    await reloadList(page);
    await page.context().clearCookies({ name: 'branchline-session' });
    await page.getByRole('link', { name: 'People' }).click();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    const opening = page.context().waitForEvent('page');
    await ended.getByRole('link', { name: 'another tab' }).click();
    const other = await opening;
    // The provider still knows who it is.
    await leave(other);
    await other.waitForURL(`${server.origin}${LIST}`);
    await ended.waitFor({ state: 'detached' });
    await page.getByRole('rowheader', { name: 'joan@example.com' }).waitFor();
  });
});
