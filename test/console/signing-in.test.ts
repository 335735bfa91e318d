// @module-tag both-engines
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeUnless } from '../support/describe-unless.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';
import { closePages, noBrowser, openPage, reloadList, shareBrowser, visit } from './support/browser.ts';
import { makeBranch } from './support/workspace.ts';

const PASSWORD = 'correct horse battery staple';
const LIST = '/schemas/shop/branches';

describeUnless(noBrowser, 'signing in', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: SignedIn;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await shareBrowser();
    admin = await server.signIn('admin');
    await makeBranch(server, 'some-branch');
  });
  afterAll(async () => {
    await closePages(browser);
    await server.close();
  });

  const anyone = async (): Promise<Page> => (await openPage(browser, server)).page;
  const submit = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true }).first().click();

  /** The path of a sign-in link for somebody who is new. */
  async function invited(email: string): Promise<string> {
    const answer = await server.call({
      method: 'POST',
      path: `${server.workspacePath}/users/v1`,
      as: null,
      headers: { cookie: admin.cookie },
      json: { email, role: 'editor' },
    });
    const { signInLink } = answer.json() as { signInLink: { signInUrl: string } };
    return `/sign-in${new URL(signInLink.signInUrl).hash}`;
  }

  async function signInByLink(page: Page, path: string): Promise<void> {
    await visit(page, path);
    await page.getByLabel('Choose a password').fill(PASSWORD);
    await submit(page);
    await page.waitForURL(`**${LIST}`);
  }

  /** Signs in by a link, and waits until nothing is read any more that would be refused once the session is over. */
  async function signInAndSettle(page: Page, path: string): Promise<void> {
    await signInByLink(page, path);
    await reloadList(page);
  }

  it('a link shows whose it is, takes a password, and leaves no trace in the address', async () => {
    const { page, complaints } = await openPage(browser, server);
    await visit(page, await invited('ada@example.com'));
    expect(new URL(page.url()).hash).toBe('');
    await page.getByLabel('Choose a password').waitFor();
    expect(await page.getByLabel('E-mail').first().inputValue()).toBe('ada@example.com');
    await page.getByLabel('Choose a password').fill(PASSWORD);
    await submit(page);
    await page.waitForURL(`**${LIST}`);
    await page.getByRole('button', { name: 'Account of ada@example.com' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('a link outlasts a reload, and is forgotten once it was used', async () => {
    const page = await anyone();
    await visit(page, await invited('katherine@example.com'));
    await page.reload();
    await page.getByLabel('Choose a password').fill(PASSWORD);
    await submit(page);
    await page.waitForURL(`**${LIST}`);
    await visit(page, '/sign-in');
    expect(await page.getByLabel('Choose a password').count()).toBe(0);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('a link that is not whole says so', async () => {
    const page = await anyone();
    await visit(page, '/sign-in#garbage');
    await page.getByText('This sign-in link is incomplete.').waitFor();
    await page.getByLabel('Password').waitFor();
  });

  it.each(['büro@example.com', 'li@例え.jp'])('%s is taken as it is typed, wherever an e-mail is', async (email) => {
    const invitation = await openPage(browser, server, { as: admin });
    await visit(invitation.page, '/schemas/shop/settings/people');
    await invitation.page.getByRole('button', { name: 'Invite' }).click();
    const dialog = invitation.page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill('no e-mail');
    expect(
      await dialog.getByLabel('E-mail').evaluate((field: { validity: { valid: boolean } }) => field.validity.valid),
    ).toBe(false);
    await dialog.getByLabel('E-mail').fill(` ${email} `);
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = await invitation.page.getByRole('region', { name: 'sign-in link' }).innerText();
    const { page } = await openPage(browser, server);
    await signInByLink(page, `/sign-in${new URL(link).hash}`);
    await page.getByRole('button', { name: `Account of ${email}` }).waitFor();
    const again = await anyone();
    await visit(again, '/sign-in?workspace=shop');
    await again.getByLabel('E-mail').fill(email);
    expect(await again.getByLabel('E-mail').inputValue()).toBe(email);
    await again.getByLabel('Password').fill(PASSWORD);
    await submit(again);
    await again.getByRole('button', { name: `Account of ${email}` }).waitFor();
    await visit(again, `/schemas/shop/branches/${await makeBranch(server, `of-${email.length}`)}`);
    await again.getByLabel('Add by e-mail').fill(email);
    await again.getByRole('button', { name: 'Add', exact: true }).click();
    await again.getByRole('listitem').filter({ hasText: email }).first().waitFor();
  });

  it('a link that was used says so, and how to get another', async () => {
    const path = await invited('grace@example.com');
    await signInByLink(await anyone(), path);
    const page = await anyone();
    await visit(page, path);
    await page.getByText('This sign-in link does not work:').waitFor();
    expect(await page.getByText('branchline user link').first().isVisible()).toBe(true);
    const command = await page.locator('pre[aria-label="command for who is there"]').textContent();
    expect(command).toMatch(new RegExp(`^npx branchline user link .* --origin ${server.origin}$`));
  });

  it('whoever is not signed in signs in with a password, and comes to where they wanted to', async () => {
    await signInByLink(await anyone(), await invited('barbara@example.com'));
    const page = await anyone();
    await page.goto(`${LIST}?status=Draft`);
    await page.waitForURL('**/sign-in?workspace=shop&return=*');
    expect(await page.getByLabel('Workspace').inputValue()).toBe('shop');
    await page.getByLabel('E-mail').fill('barbara@example.com');
    await page.getByLabel('Password').fill('a wrong password');
    await submit(page);
    await page.getByText('E-mail, password and workspace do not match.').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await submit(page);
    await page.waitForURL(`**${LIST}?status=Draft`);
    await page.getByRole('rowheader', { name: 'some-branch' }).waitFor();
  });

  it('returns to no other site', async () => {
    await signInByLink(await anyone(), await invited('mary@example.com'));
    const page = await anyone();
    await visit(page, '/sign-in?workspace=shop&return=//evil.example/');
    await page.getByLabel('E-mail').fill('mary@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await submit(page);
    await page.waitForURL(`${server.origin}${LIST}`);
  });

  it('who has one workspace comes to its branches, who has several chooses, who has none signs in', async () => {
    const { page } = await openPage(browser, server, { as: admin });
    await page.goto('/');
    await page.waitForURL(`**${LIST}`);

    await server.administration.workspaces.create('other');
    const elsewhere = await server.signIn('viewer', 'other');
    const both = { ...admin, cookie: `${admin.cookie}~${elsewhere.cookie.replace('branchline-session=', '')}` };
    const chooser = (await openPage(browser, server, { as: both })).page;
    await visit(chooser, '/');
    expect(await chooser.getByRole('listitem').getByRole('link').allTextContents()).toEqual(['shop', 'other']);
    await chooser.getByRole('link', { name: 'other', exact: true }).click();
    await chooser.waitForURL('**/schemas/other/branches');

    const nobody = await anyone();
    await nobody.goto('/');
    await nobody.waitForURL('**/sign-in');
  });

  it('a session that ends meanwhile loses nothing that was typed', async () => {
    const { page } = await openPage(browser, server);
    await signInAndSettle(page, await invited('hedy@example.com'));
    await page.getByRole('button', { name: 'Create branch' }).click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('typed-before');
    await page.context().clearCookies();
    await page.keyboard.press('Enter');
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password').fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('typed-before');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'typed-before' }).waitFor();
  });

  it('signing in again in another tab will do', async () => {
    const path = await invited('joan@example.com');
    const { page } = await openPage(browser, server);
    await signInAndSettle(page, path);
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'People' }).click();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    const other = await page.context().newPage();
    await visit(other, '/sign-in?workspace=shop');
    await other.getByLabel('E-mail').fill('joan@example.com');
    await other.getByLabel('Password').fill(PASSWORD);
    await submit(other);
    await ended.waitFor({ state: 'detached' });
    await page.getByRole('rowheader', { name: 'joan@example.com' }).waitFor();
  });

  it('signing out ends the session', async () => {
    const as = await server.signIn('viewer');
    const { page } = await openPage(browser, server, { as });
    await visit(page, LIST);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in?workspace=shop');
    const path = `${server.workspacePath}/sessions/current/v1`;
    expect((await server.call({ path, as: null, headers: { cookie: as.cookie } })).status).toBe(401);
  });

  it('a page that can’t reach the server says so, and goes on by itself once it can', async () => {
    const { page } = await openPage(browser, server, { as: admin });
    await visit(page, '/schemas/shop/settings/people');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Branches' }).click();
    await page.getByText("The server can't be reached.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole('rowheader', { name: 'some-branch' }).waitFor();
  });

  it('a server that restarts is asked again when it said', async () => {
    const { page } = await openPage(browser, server, { as: admin });
    const error = "The service can't answer now. Try again in a moment.";
    let refused = 0;
    await page.route('**/branches/v1?*', (route) => {
      refused += 1;
      return refused > 2
        ? route.continue()
        : route.fulfill({ status: 503, headers: { 'retry-after': '0' }, json: { error } });
    });
    await visit(page, LIST);
    await page.getByRole('rowheader', { name: 'some-branch' }).waitFor();
    expect(refused).toBe(3);
  });

  it('whoever is too fast learns when to go on, and what they did stays', async () => {
    const { page } = await openPage(browser, server, { as: admin });
    await visit(page, LIST);
    await page.route('**/branches/v1', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '7' }, json: { error: 'Too many requests.' } }),
    );
    await page.getByRole('button', { name: 'Create branch' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('too-fast');
    await page.keyboard.press('Enter');
    await page.getByText('Too many requests. Try again in 7 s.').waitFor();
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('too-fast');
  });
});
