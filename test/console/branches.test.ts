// @module-tag both-engines
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeUnless } from '../support/describe-unless.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';
import { closePages, noBrowser, type OpenedPage, openPage, shareBrowser, visit } from './support/browser.ts';
import { createBranchByKeyboard, leadToMergedByKeyboard } from './support/keyboard.ts';
import { makeBranch } from './support/workspace.ts';

const LIST = '/schemas/shop/branches';

describeUnless(noBrowser, 'branches', () => {
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

  const open = (as = editor): Promise<OpenedPage> => openPage(browser, server, { as });
  const names = (page: Page): Promise<string[]> => page.getByRole('rowheader').allTextContents();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('an empty list teaches', async () => {
    const { page } = await openPage(browser, server, { as: await newWorkspace('empty') });
    await visit(page, '/schemas/empty/branches');
    await page.getByRole('heading', { name: 'No branch yet' }).waitFor();
    expect(await page.locator('pre').textContent()).toContain(`${server.origin}/workspaces/empty/branches/v1`);
  });

  it('are created, reviewed, approved and merged by keyboard alone', async () => {
    const { page, complaints } = await open();
    await visit(page, LIST);
    await createBranchByKeyboard(page, 'by-keyboard');
    await leadToMergedByKeyboard(page);
    expect(await page.getByText('A merged branch stays merged.').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('a name that can’t be used is offered as one that can, for one click', async () => {
    const { page } = await open();
    await visit(page, LIST);
    await button(page, 'Create branch').click();
    await page.getByLabel('Name', { exact: true }).last().fill('Wish List');
    await page.keyboard.press('Enter');
    await button(page, 'Create “wish-list”').click();
    await page.getByRole('heading', { level: 1, name: 'wish-list' }).waitFor();
  });

  it('a name that is taken is refused where it was typed, and what was typed stays', async () => {
    await makeBranch(server, 'taken');
    const { page } = await open();
    await visit(page, LIST);
    await button(page, 'Create branch').click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('taken');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Branch with this name already exists').waitFor();
    expect(await name.inputValue()).toBe('taken');
  });

  it('the CSV is what the list shows', async () => {
    await makeBranch(server, 'in-the-file', { as: editor, through: ['Closed'] });
    const { page, complaints } = await open();
    await visit(page, `${LIST}?status=Closed`);
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'CSV').click()]);
    const csv = await readFile(await download.path(), 'utf8');
    const rows = csv.split('\r\n').slice(1, -1);
    expect(rows.map((row) => row.split(',', 1)[0])).toEqual(await names(page));
    const exported = await server.call({ path: `${server.workspacePath}/branches/export/v1?branchStatuses=Closed` });
    expect(csv.split('\r\n').toSorted()).toEqual(exported.text.split('\r\n').toSorted());
    expect(complaints).toEqual([]);
  });

  it('filters live in the address, and Back takes them away again', async () => {
    await makeBranch(server, 'find-me', { as: editor });
    const { page } = await open();
    await visit(page, LIST);
    const all = await names(page);
    await page.getByRole('checkbox', { name: /^Draft/ }).check();
    await page.waitForURL('**/branches?status=Draft');
    await page.getByLabel('Name', { exact: true }).fill('FIND');
    await page.waitForURL('**/branches?status=Draft&text=FIND');
    await page.locator('table[aria-busy=false]').waitFor();
    await expect.poll(() => names(page)).toEqual(['find-me']);
    await page.goBack();
    await page.goBack();
    await page.waitForURL(`**${LIST}`);
    await expect.poll(() => names(page)).toEqual(all);
  });

  it('those that I created, oldest first', async () => {
    const mine = await server.signIn('editor');
    await makeBranch(server, 'mine-1', { as: mine });
    await makeBranch(server, 'mine-2', { as: mine });
    const { page } = await open(mine);
    await visit(page, LIST);
    await page.getByLabel('Creator').selectOption('Me');
    await expect.poll(() => names(page)).toEqual(['mine-2', 'mine-1']);
    await page.getByLabel('Order').selectOption('oldest');
    await expect.poll(() => names(page)).toEqual(['mine-1', 'mine-2']);
    const { search } = new URL(page.url());
    expect(search).toBe(`?creator=${mine.userId}&sort=oldest`);
    const colleague = await open(await server.signIn('viewer'));
    await visit(colleague.page, LIST + search);
    await expect.poll(() => names(colleague.page)).toEqual(['mine-1', 'mine-2']);
  });

  it('a long list has pages, each with an address', async () => {
    const many = await newWorkspace('many');
    const created = Array.from({ length: 51 }, (_, index) => `b-${index}`);
    for (const name of created) await postBranch(many, name);
    const { page } = await open(many);
    await visit(page, '/schemas/many/branches');
    expect(await names(page)).toHaveLength(50);
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect.poll(() => names(page)).toEqual(['b-0']);
    expect(page.url()).toContain('cursor=');
    await button(page, 'Back').click();
    await expect.poll(async () => (await names(page)).length).toBe(50);
  });

  it('only legal ways on are offered, and none to a viewer', async () => {
    const branchId = await makeBranch(server, 'ways-on');
    const { page } = await open();
    await visit(page, `${LIST}/${branchId}`);
    const offered = await page.getByRole('region', { name: 'Actions' }).getByRole('button').allTextContents();
    expect(offered.map((text) => text.trim())).toEqual(['Mark ready for review', 'Close', 'Record publication']);

    const viewer = await open(await server.signIn('viewer'));
    await visit(viewer.page, `${LIST}/${branchId}`);
    expect(await viewer.page.locator('main button, main form').count()).toBe(0);
    await visit(viewer.page, LIST);
    expect(await button(viewer.page, 'Create branch').count()).toBe(0);
  });

  it('is where the reader left it when they come back, however long it took to load', async () => {
    for (let index = 0; index < 12; index += 1) await makeBranch(server, `left-behind-${index}`);
    const { page } = await open();
    await page.setViewportSize({ width: 1440, height: 400 });
    await visit(page, `${LIST}?text=left-behind`);
    const last = page.getByRole('link', { name: 'left-behind-0', exact: true });
    await last.scrollIntoViewIfNeeded();
    const left = await page.evaluate<number>('scrollY');
    expect(left).toBeGreaterThan(0);
    await last.click();
    await page.getByRole('heading', { level: 1, name: 'left-behind-0' }).waitFor();
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(0);
    await page.goBack();
    await last.waitFor();
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(left);
  });

  it('is filtered by a collaborator once the address is whole', async () => {
    await makeBranch(server, 'with-nobody');
    const { page } = await open();
    await visit(page, LIST);
    await page.getByLabel('Collaborator').pressSequentially('grace', { delay: 100 });
    await page.getByRole('link', { name: 'with-nobody', exact: true }).waitFor();
    expect(await page.getByRole('alert').getByText(/./).count()).toBe(0);
    await page.getByLabel('Collaborator').fill('grace@example.com');
    await page.waitForURL('**/branches?collaborator=grace%40example.com');
    await visit(page, `${LIST}?collaborator=grace`);
    await page.getByRole('alert').getByText('must be an e-mail address').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
  });

  it('what another tab has done meanwhile is said in place, and the branch shown as it stands', async () => {
    const branchId = await makeBranch(server, 'two-tabs', { through: ['ReadyForReview'] });
    const { page } = await open();
    await visit(page, `${LIST}/${branchId}`);
    await becomes(branchId, 'Closed');
    await button(page, 'Approve').click();
    await page.getByText("A Closed branch can't become Approved. From Closed it can become Draft.").waitFor();
    await page.locator('.heading .status', { hasText: 'Closed' }).waitFor();
    await button(page, 'Reopen as draft').waitFor();
  });

  it('what somebody else has approved is not taken back by a page that does not show it yet', async () => {
    const branchId = await makeBranch(server, 'approved-meanwhile', { through: ['ReadyForReview'] });
    const { page } = await open();
    await visit(page, `${LIST}/${branchId}`);
    await becomes(branchId, 'Approved');
    await button(page, 'Back to draft').click();
    await page.getByText('This branch is Approved by now, not Ready for review').waitFor();
    await page.locator('.heading .status', { hasText: 'Approved' }).waitFor();
    await button(page, 'Mark as merged').waitFor();
  });

  it('the log says who did what', async () => {
    const branchId = await makeBranch(server, 'logged', { as: editor });
    const { page } = await open();
    await visit(page, `${LIST}/${branchId}`);
    await page.getByLabel('Add by e-mail').fill('grace@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Collaborator added: grace@example.com').waitFor();
    await button(page, 'Record publication').click();
    const log = page.getByRole('region', { name: 'Activity' }).getByRole('listitem');
    await expect.poll(() => log.count()).toBe(3);
    expect((await log.allTextContents()).map((text) => text.split(/\d/, 1)[0])).toEqual([
      'Created as logged',
      'Collaborator added: grace@example.com',
      'Published',
    ]);
    expect(await log.last().textContent()).toContain(editor.email);
  });

  it('times are the reader’s, and UTC when pointed at', async () => {
    const branchId = await makeBranch(server, 'far-away');
    const { page } = await openPage(browser, server, { as: editor, timezoneId: 'Asia/Kathmandu', locale: 'de-DE' });
    await visit(page, `${LIST}/${branchId}`);
    const time = page.getByRole('region', { name: 'Facts' }).getByRole('time').first();
    const iso = (await time.getAttribute('datetime')) ?? '';
    expect(await time.getAttribute('title')).toBe(`${iso.slice(0, 10)} ${iso.slice(11, -1)} UTC`);
    const format = new Intl.DateTimeFormat('de-DE', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Asia/Kathmandu',
    });
    expect(await time.textContent()).toBe(format.format(new Date(iso)));
  });

  it('the command bar leads to pages and branches', async () => {
    await makeBranch(server, 'far-in-the-list');
    const { page, complaints } = await open();
    await visit(page, LIST);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Part of the name' }).waitFor();
    await page.keyboard.type('far-in');
    await page.getByRole('option', { name: 'far-in-the-list' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'far-in-the-list' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Part of the name' }).waitFor();
    await page.keyboard.type('peop');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('the command bar goes nowhere before it has found what was typed', async () => {
    const { page } = await open();
    await visit(page, LIST);
    await page.keyboard.press('Control+k');
    await page
      .getByRole('option', { name: /Branch$/ })
      .first()
      .waitFor();
    await page.keyboard.type('no-such-branch\n');
    await page.getByText('No page, branch or event matches.').waitFor();
    expect(new URL(page.url()).pathname).toBe(LIST);
  });

  async function becomes(branchId: string, branchStatus: string): Promise<void> {
    const path = `${server.workspacePath}/branches/${branchId}/status/v1`;
    await server.call({ method: 'PUT', path, json: { branchStatus } });
  }

  async function newWorkspace(workspaceId: string): Promise<SignedIn> {
    await server.administration.workspaces.create(workspaceId);
    return server.signIn('editor', workspaceId);
  }

  async function postBranch({ workspaceId, cookie }: SignedIn, name: string): Promise<void> {
    const path = `/workspaces/${workspaceId}/branches/v1`;
    const { status } = await server.call({ method: 'POST', path, as: null, headers: { cookie }, json: { name } });
    // A person may do only so much in a second.
    if (status === 429) return postBranch({ workspaceId, cookie } as SignedIn, name);
    expect(status).toBe(201);
  }
});
