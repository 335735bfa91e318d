import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { branchline, type ServerProcess, startProcess } from '../support/command-line.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { closePages, newContext, noBrowser, shareBrowser } from './support/browser.ts';
import { createBranchByKeyboard, leadToMergedByKeyboard } from './support/keyboard.ts';
import { runShell } from './support/shell.ts';

/** What a new user does: start it on an empty folder, and follow what it prints. */

const PASSWORD = 'correct horse battery staple';
const LIST = '**/schemas/demo/branches';

describeUnless(noBrowser, 'the first minutes', () => {
  let folder: string;
  let server: ServerProcess;
  let browser: Browser;
  let link: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'branchline-first-minutes-'));
    server = await startProcess(join(folder, 'data', 'branchline.db'), ['--drain-delay', '0']);
    browser = await shareBrowser();
    link = printed(/^http:\/\/localhost:\d+\/sign-in#\S+$/m);
  });
  afterEach(async () => {
    await closePages(browser);
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  function printed(line: RegExp): string {
    const [found] = line.exec(server.output()) ?? [];
    if (found === undefined) throw new Error(`Nothing like ${line} was printed: ${server.output()}`);
    return found;
  }

  const newBrowser = async (): Promise<Page> => (await newContext(browser, { ignoreHTTPSErrors: true })).newPage();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const copied = (page: Page, name: string): Promise<string> =>
    page.getByRole('dialog').getByRole('region', { name, exact: true }).innerText();

  async function signIn(page: Page, url: string, email: string): Promise<void> {
    await page.goto(url);
    await page.getByLabel('Choose a password').fill(PASSWORD);
    const address = page.getByLabel('E-mail').first();
    if (await address.isEditable()) await address.fill(email);
    await press(page, 'Sign in');
    await page.waitForURL(LIST);
    await page.getByRole('button', { name: `Account of ${email}` }).waitFor();
  }

  const cookies = async (page: Page) =>
    (await page.context().cookies()).map(({ name, secure, httpOnly, sameSite }) => ({
      name,
      secure,
      httpOnly,
      sameSite,
    }));

  it('the printed link leads to a merged branch, a colleague, a key that works, and out again', async () => {
    const page = await newBrowser();
    await signIn(page, link, 'ada@example.com');
    expect(await cookies(page)).toEqual([
      { name: 'branchline-session', secure: false, httpOnly: true, sameSite: 'Lax' },
    ]);

    await createBranchByKeyboard(page, 'my-first-branch');
    await leadToMergedByKeyboard(page);

    const colleague = await newBrowser();
    await signIn(colleague, await invite(page, 'grace@example.com'), 'grace@example.com');
    await colleague.getByRole('rowheader', { name: 'my-first-branch' }).waitFor();

    expect(await runShell(await curlLineOfNewKey(page))).toMatch(/^HTTP\/1.1 200 OK[^]*"accepted":1/);

    await page.getByRole('button', { name: /^Account of/ }).click();
    await press(page, 'Sign out');
    await page.waitForURL('**/sign-in?workspace=demo');
    await page.goto(link);
    await page.getByText('This sign-in link does not work:').waitFor();
    expect(await page.getByText('branchline user link').first().isVisible()).toBe(true);
    await colleague.reload();
    await colleague.getByRole('rowheader', { name: 'my-first-branch' }).waitFor();
  });

  it('over TLS, the link signs in with a cookie for this host alone, and the lines to paste go without TLS', async () => {
    const page = await newBrowser();
    await signIn(page, link.replace('http:', 'https:'), 'ada@example.com');
    expect(await cookies(page)).toEqual([
      { name: '__Host-branchline-session', secure: true, httpOnly: true, sameSite: 'Lax' },
    ]);
    expect(await runShell(await curlLineOfNewKey(page))).toMatch(/^HTTP\/1.1 200 OK/);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await press(page, 'Sign out');
    await page.waitForURL('**/sign-in?workspace=demo');
    expect(await cookies(page)).toEqual([]);
  });

  it('the branchUrl that Create Branch answers with opens the branch: at once, or once one has signed in', async () => {
    const created = await runShell(printed(/^curl .*my-first-branch.*$/m));
    const { branchUrl } = JSON.parse(created.slice(created.indexOf('{'))) as { branchUrl: string };
    expect(branchUrl).toMatch(/^https:\/\/localhost:\d+\/schemas\/demo\/branches\//);

    const page = await newBrowser();
    await signIn(page, link, 'ada@example.com');
    await page.goto(branchUrl);
    await page.getByRole('heading', { level: 1, name: 'my-first-branch' }).waitFor();
    expect(page.url()).toBe(branchUrl);

    const other = await newBrowser();
    await other.goto(branchUrl);
    await other.waitForURL('**/sign-in?workspace=demo&return=*');
    await other.getByLabel('E-mail').fill('ada@example.com');
    await other.getByLabel('Password').fill(PASSWORD);
    await press(other, 'Sign in');
    await other.getByRole('heading', { level: 1, name: 'my-first-branch' }).waitFor();
    expect(other.url()).toBe(branchUrl);
  });

  it('each command that the sign-in page shows works as pasted', async () => {
    const page = await newBrowser();
    await page.goto(`${new URL(link).origin}/sign-in?workspace=demo`);
    await page.getByText('No password yet, or forgotten?').click();
    const shown = await page.getByRole('region', { name: /^command/ }).allInnerTexts();
    expect(shown).toHaveLength(2);
    const [known = '', unknown = ''] = shown;
    for (const command of [unknown, known]) {
      const [npx, name, ...args] = command.split(' ');
      expect([npx, name]).toEqual(['npx', 'branchline']);
      const ended = await branchline(args, { BRANCHLINE_DATABASE: join(folder, 'data', 'branchline.db') });
      expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('/sign-in#demo.') });
    }
  });

  async function invite(page: Page, email: string): Promise<string> {
    await page.getByRole('link', { name: 'People' }).click();
    await press(page, 'Invite');
    await page.getByRole('dialog').getByLabel('E-mail').fill(email);
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const url = await copied(page, 'sign-in link');
    await press(page, 'I have kept it');
    return url;
  }

  async function curlLineOfNewKey(page: Page): Promise<string> {
    await page.getByRole('link', { name: 'Sources' }).click();
    await press(page, 'Create API key');
    await page.getByLabel('Source').fill('android-shop');
    await press(page, 'Create key');
    const line = await copied(page, 'curl line');
    await press(page, 'I have kept it');
    return line;
  }
});
