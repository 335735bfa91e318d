// @module-tag both-engines
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { visibleText } from '../../console/src/parts/visible-text.ts';
import { BUILT_CONSOLE } from '../../server/console/files.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';
import { closePages, noBrowser, type OpenedPage, openPage, shareBrowser, visit } from './support/browser.ts';
import { type Schema, type Sending, sendEvents } from './support/inspector.ts';
import { runShell } from './support/shell.ts';

const { version } = packageFile;

const EVENTS = '/schemas/shop/inspector';
const DAY_MS = 24 * 3_600_000;

/** Noon, so that an hour before is the same day. */
const NOON = Date.UTC(2026, 1, 3, 12, 0);

const PRICED = (type: 'float' | 'string'): [string, Schema] => [
  'Product Viewed',
  [
    { name: 'price', type },
    { name: 'tags', type: 'list', items: [{ type: 'string' }, { type: 'null' }] },
  ],
];

const SIGNED_UP: [string, Schema] = [
  'Signed Up',
  [{ name: 'user', type: 'object', properties: [{ name: 'age', type: 'int' }] }],
];

/** Names that would harm a page, an address or whoever reads them. */
const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '\u202Egnp.exe\u2066 hidden',
  'مرحبا (world)',
  'line\nbreak\tand\u0001control',
  '.',
  '..',
  '~',
  '~..',
  'a/b',
  '/',
  '%2F',
  '%',
  '?a=1&b#c',
  'back\\slash',
  ' two  spaces ',
  '👩🏽‍🚀 left',
  'x'.repeat(1_024),
  '名'.repeat(1_024),
];

describeUnless(noBrowser, 'the Inspector', () => {
  let server: TestServer;
  let browser: Browser;
  let viewer: SignedIn;
  let iosKey: string;
  /** Of the server; it goes on from where it is set to. */
  let ahead = 0;
  const begun = Date.now();

  beforeAll(async () => {
    server = await startTestServer({ clock: () => NOON + ahead + Date.now() - begun });
    browser = await shareBrowser();
    iosKey = (await server.administration.keys.create({ workspaceId: 'shop', source: 'ios-shop', samplingRate: 1 }))
      .text;
    ahead = -3 * DAY_MS;
    await sendEvents(server, { events: [PRICED('float'), PRICED('float'), SIGNED_UP] });
    ahead = -2 * 3_600_000;
    await sendEvents(server, { events: [PRICED('string')], apiKey: iosKey, appVersion: '3.0' });
    ahead = 0;
    await sendEvents(server, { events: [PRICED('float'), 'Signed Up'], environment: 'dev', appVersion: '1.5.0' });
    viewer = await server.signIn('viewer');
  });
  afterAll(async () => {
    await closePages(browser);
    await server.close();
  });

  const open = (as = viewer): Promise<OpenedPage> => openPage(browser, server, { as });
  const names = (page: Page): Promise<string[]> => page.locator('main').getByRole('rowheader').allTextContents();
  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  const cells = async (page: Page, name: string): Promise<string[]> =>
    (await row(page, name).getByRole('cell').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());

  async function newWorkspace(workspaceId: string): Promise<{ as: SignedIn; apiKey: string }> {
    const { workspaces, keys } = server.administration;
    await workspaces.create(workspaceId);
    const { text: apiKey } = await keys.create({ workspaceId, source: 'app', samplingRate: 1 });
    return { as: await server.signIn('viewer', workspaceId), apiKey };
  }

  describe('events', () => {
    it('are listed with what was sent', async () => {
      const { page, complaints } = await open();
      await visit(page, EVENTS);
      expect(await names(page)).toEqual(['Product Viewed', 'Signed Up']);
      expect((await cells(page, 'Product Viewed')).slice(0, 6)).toEqual([
        '4',
        '',
        '1 open issue',
        'android-shop ios-shop',
        'dev, prod',
        '1.5.0 3.0 1.4.0',
      ]);
      expect((await cells(page, 'Signed Up')).slice(0, 3)).toEqual(['2', '', 'none']);
      const days = page.getByRole('img', { name: 'Events of the last 14 days (UTC), today last: ' });
      expect(await days.evaluateAll((all) => all.map((one) => one.ariaLabel?.split(': ')[1]))).toEqual([
        '0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2',
        '0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1',
      ]);
      expect(await row(page, 'Product Viewed').locator('time').first().getAttribute('datetime')).toMatch(
        /^2026-01-31T12/,
      );
      expect(complaints).toEqual([]);
    });

    it('are filtered, and the filters stand in the address', async () => {
      const { page } = await open();
      await visit(page, EVENTS);
      await page.getByLabel('Name', { exact: true }).fill('SIGN');
      await page.waitForURL('**/inspector?text=SIGN');
      await expect.poll(() => names(page)).toEqual(['Signed Up']);
      await page.getByRole('link', { name: 'Clear filters' }).click();
      await expect.poll(() => names(page)).toEqual(['Product Viewed', 'Signed Up']);
      await page.getByRole('checkbox', { name: 'With issues' }).check();
      await page.waitForURL('**/inspector?withIssues=true');
      await expect.poll(() => names(page)).toEqual(['Product Viewed']);
      await page.getByLabel('Environment').selectOption('dev');
      await page.waitForURL('**/inspector?withIssues=true&environment=dev');
      await expect.poll(async () => (await cells(page, 'Product Viewed'))[0]).toBe('1');
      await page.goBack();
      await expect.poll(async () => (await cells(page, 'Product Viewed'))[0]).toBe('4');

      await visit(page, `${EVENTS}?source=ios-shop&appVersion=3.0`);
      expect(await page.getByLabel('Source').inputValue()).toBe('ios-shop');
      expect(await names(page)).toEqual(['Product Viewed']);
      expect((await cells(page, 'Product Viewed'))[0]).toBe('1');
      await visit(page, `${EVENTS}?source=nobody`);
      await page.getByText('No event matches these filters.').waitFor();
    });

    it('have pages, each with an address', async () => {
      const { as, apiKey } = await newWorkspace('many');
      const events = Array.from({ length: 51 }, (_, index) => `Event ${String(index).padStart(2, '0')}`);
      await sendEvents(server, { events, apiKey });
      const { page } = await open(as);
      await visit(page, '/schemas/many/inspector');
      expect(await names(page)).toEqual(events.slice(0, 50));
      await page.getByRole('link', { name: 'Next page' }).click();
      await expect.poll(() => names(page)).toEqual(['Event 50']);
      expect(page.url()).toContain('cursor=');
    });

    it('none yet: a key that is made there stands in the lines, which work as pasted', async () => {
      await newWorkspace('keyless');
      const as = await server.signIn('admin', 'keyless');
      const { page } = await open(as);
      await visit(page, '/schemas/keyless/inspector');
      const gradle = await page.getByRole('region', { name: 'Gradle lines' }).innerText();
      expect(gradle).toContain(`app.service.inspector:dev:${version}`);
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByLabel('Source').fill('android-shop');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('button', { name: 'I have kept it' }).click();
      const line = (name: string) => page.getByRole('region', { name, exact: true }).innerText();
      expect(await line('Kotlin lines')).toMatch(/val inspector = ServiceInspector\("blk_keyless\./);
      expect(await runShell(await line('curl line'))).toContain('"accepted":1');
      await page.getByRole('rowheader', { name: 'Product Viewed' }).waitFor();
    });

    it('none yet: the page shows how to send, asks while it is seen, and turns by itself', async () => {
      const { as, apiKey } = await newWorkspace('first');
      const { page, complaints } = await open(as);
      await page.clock.install();
      let asked = 0;
      page.on('request', (request) => {
        if (request.url().includes('/event-summaries/')) asked += 1;
      });
      await visit(page, '/schemas/first/inspector');
      await page.getByText('Waiting for the first batch…').waitFor();
      expect(await page.getByRole('region', { name: 'curl line' }).textContent()).toContain(
        `${server.origin}/inspector/batches/v1`,
      );
      expect(await page.locator('pre').count()).toBe(3);

      await becomes(page, 'hidden');
      const before = asked;
      await page.clock.runFor(60_000);
      expect(asked).toBe(before);
      await sendEvents(server, { events: ['The First'], apiKey });
      await becomes(page, 'visible');
      await page.clock.runFor(3_000);
      await page.getByRole('rowheader', { name: 'The First' }).waitFor();
      expect(await page.getByText('Waiting for the first batch…').count()).toBe(0);
      const turned = asked;
      await page.clock.runFor(60_000);
      expect(asked).toBe(turned);
      expect(complaints).toEqual([]);
    });
  });

  describe('an event', () => {
    const path = `${EVENTS}/events/Product%20Viewed`;
    const fact = async (page: Page, name: string): Promise<string> => {
      const text = await page.locator('.facts > div').filter({ hasText: name }).locator('dd').innerText();
      return text.replaceAll(/\s+/g, ' ');
    };

    it('has totals, and properties with where each type came from', async () => {
      const { page, complaints } = await open();
      await visit(page, EVENTS);
      await page.getByRole('link', { name: 'Product Viewed' }).click();
      await page.getByRole('rowheader', { name: 'price' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
      expect(await page.getByRole('link', { name: 'Events', exact: true }).getAttribute('aria-current')).toBe('true');
      expect([await fact(page, 'Count'), await fact(page, 'Shapes'), await fact(page, 'App versions')]).toEqual([
        '4',
        '2 summed over the sources',
        '1.5.0 3.0 1.4.0',
      ]);
      await page.getByText('Computed from all 4 events.').waitFor();
      expect(await cells(page, 'price')).toEqual([
        '100% in 4 events',
        'float in 3 events android-shop · dev since 1.5.0 android-shop · prod since 1.4.0 string in 1 event ios-shop · prod since 3.0',
      ]);
      expect((await cells(page, 'tags'))[1]).toContain('list<null|string> in 4 events');
      expect(complaints).toEqual([]);
    });

    it('says what share of the events has a property, at every level', async () => {
      const { page } = await open();
      await visit(page, `${EVENTS}/events/Signed%20Up`);
      await page.getByRole('table', { name: 'Properties' }).waitFor();
      expect(await names(page)).toEqual(['user', 'user › age']);
      expect((await cells(page, 'user › age'))[0]).toBe('50% in 1 event');
    });

    it('is narrowed down by filters in the address, all of it', async () => {
      const { page } = await open();
      await visit(page, path);
      await page.getByLabel('Source').fill('android-shop');
      await page.waitForURL('**?source=android-shop');
      await expect.poll(() => fact(page, 'Count')).toBe('3');
      await expect.poll(async () => (await cells(page, 'price'))[0]).toBe('100% in 3 events');
      await page.getByLabel('App version').fill('1.5.0');
      await expect
        .poll(async () => (await cells(page, 'price'))[1])
        .toBe('float in 1 event android-shop · dev in 1.5.0');
      await page.getByText('Show as a table').click();
      expect(await volume(page)).toEqual([['3 Feb 2026', '1']]);
      await visit(page, `${path}?environment=staging`);
      await page.getByText('This event does not match the filters.').waitFor();
      await visit(page, `${EVENTS}/events/Nothing`);
      await page.getByText('No event with this name was seen.').waitFor();
    });

    it('has its volume by day and hour, split, as a chart and in numbers', async () => {
      const { page, complaints } = await open();
      await visit(page, path);
      await page.locator('.chart canvas').waitFor();
      await page.getByText('Show as a table').click();
      expect(await volume(page)).toEqual([
        ['3 Feb 2026', '2'],
        ['31 Jan 2026', '2'],
      ]);
      await page.getByLabel('Split by').selectOption('source');
      await expect
        .poll(() => volume(page))
        .toEqual([
          ['3 Feb 2026', '2', '1', '1'],
          ['31 Jan 2026', '2', '2', '0'],
        ]);
      expect(await page.locator('.legend li').allTextContents()).toEqual(['Total', 'android-shop', 'ios-shop']);
      await page.getByLabel('Last').selectOption('hour');
      await page.getByLabel('Split by').selectOption('environment');
      await page.waitForURL('**?step=hour&split=environment');
      await expect
        .poll(() => volume(page))
        .toEqual([
          ['3 Feb 2026, 12:00', '1', '1', '0'],
          ['3 Feb 2026, 10:00', '1', '0', '1'],
        ]);
      await page.locator('.chart .u-over').hover({ position: { x: 5, y: 5 } });
      await expect.poll(() => page.locator('.chart-reading').textContent()).toBe('1 Feb 2026, 13:00: 0');
      expect(complaints).toEqual([]);
    });

    it('has shapes with counts', async () => {
      const { page, complaints } = await open();
      await visit(page, path);
      await page.getByRole('link', { name: 'Shapes' }).click();
      await page.waitForURL('**?show=shapes');
      const table = page.getByRole('table', { name: 'Shapes' });
      await table.waitFor();
      const found = (await table.locator('tbody tr').allInnerTexts()).map((text) =>
        text.split(/\s+/).slice(1, 13).join(' '),
      );
      expect(found.toSorted()).toEqual([
        'price float tags list null string 1 android-shop dev 1.5.0 3 Feb',
        'price float tags list null string 2 android-shop prod 1.4.0 31 Jan',
        'price string tags list null string 1 ios-shop prod 3.0 3 Feb',
      ]);
      await table.getByRole('button', { name: 'Copy' }).first().click();
      expect(await page.getByRole('region', { name: 'Kotlin map' }).textContent()).toContain(
        '"tags" to ServiceEventSchemaType.ServiceList(',
      );
      expect(complaints).toEqual([]);
    });

    it('is copied as JSON Schema and as a Kotlin map', async () => {
      const { page } = await open();
      await visit(page, path);
      await page.getByRole('button', { name: 'Copy… the properties' }).click();
      const schema = (await page.getByRole('region', { name: 'JSON Schema' }).textContent()) ?? '';
      expect(JSON.parse(schema)).toEqual({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'Product Viewed',
        type: 'object',
        properties: {
          price: { type: ['number', 'string'] },
          tags: { type: 'array', items: { type: ['null', 'string'] } },
        },
        required: ['price', 'tags'],
      });
      expect(await page.getByRole('region', { name: 'Kotlin map' }).textContent()).toContain(
        '"price" to ServiceEventSchemaType.ServiceFloat(), // also string',
      );
    });

    it('what draws the chart is loaded with the first chart only', async () => {
      const { page } = await open();
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(request.url()));
      await visit(page, EVENTS);
      expect(loaded.filter((url) => url.includes('draw-volume'))).toEqual([]);
      await page.getByRole('link', { name: 'Product Viewed' }).click();
      await page.locator('.chart canvas').waitFor();
      expect(loaded.filter((url) => url.includes('draw-volume'))).toHaveLength(1);
    });

    /** The rows of the table in which something was counted, newest first. */
    async function volume(page: Page): Promise<string[][]> {
      const rows = page.getByRole('table', { name: 'Volume' }).locator('tbody tr');
      const texts = await rows.evaluateAll((all) =>
        all.map((row) => Array.from(row.children, ({ textContent }) => textContent ?? '')),
      );
      return texts.filter((numbers) => numbers[1] !== '0');
    }
  });

  it('the number of issues leads to those of the event', async () => {
    const { page, complaints } = await open();
    await visit(page, EVENTS);
    await page.getByRole('link', { name: '1 open issue' }).click();
    await page.waitForURL('**/events/Product%20Viewed?show=issues');
    await expect.poll(() => names(page)).toEqual(['Type conflictprice']);
    await page.getByText('Where each type was seen').click();
    await page.getByText('ios-shop · prod since 3.0').waitFor();
    expect(complaints).toEqual([]);
  });

  it('the budget says who has used how much', async () => {
    const { page, complaints } = await open();
    await visit(page, `${EVENTS}/sources`);
    const { json } = await server.call({ path: `${server.workspacePath}/inspector/budget/v1` });
    const { workspace, sources, apiKeys } = json() as Budget;
    const keys = await server.administration.keys.list(server.workspaceId, undefined, 100);
    const sourceOf = new Map(keys.map(({ keyId, source }) => [keyId, source]));
    const table = page.getByRole('table', { name: 'Budget' });
    await table.waitFor();
    expect(await table.getByRole('rowheader').allTextContents()).toEqual([
      'Workspace shop',
      ...sources.map(({ source }) => `Source ${source}`),
      ...apiKeys.map(({ keyId }) => `API key ${sourceOf.get(keyId)}…${keyId.slice(-12)}`),
    ]);
    expect(sources.map(({ source }) => source)).toContain('ios-shop');
    const shapes = table.getByRole('meter', { name: 'Shapes of' });
    expect(await shapes.evaluateAll((all) => all.map((one) => Number(one.getAttribute('value'))))).toEqual(
      [workspace, ...sources.map(({ budget }) => budget), ...apiKeys.map(({ budget }) => budget)].map(
        ({ shapes }) => shapes.used,
      ),
    );
    expect(workspace.shapes.used).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  it('the command bar leads to events', async () => {
    const { page } = await open();
    await visit(page, EVENTS);
    await page.keyboard.press('/');
    await page.keyboard.type('signed');
    await page.getByRole('option', { name: 'Signed Up' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Signed Up' }).waitFor();
  });

  describe('whatever an app calls its events', () => {
    let opened: OpenedPage;
    let links: Map<string, string>;

    beforeAll(async () => {
      const { as, apiKey } = await newWorkspace('hostile');
      for (const name of HOSTILE) {
        const events: Sending['events'] = [[name, [{ name, type: 'int' }]]];
        await sendEvents(server, { events, apiKey, appVersion: [...name].slice(0, 100).join('') });
      }
      opened = await open(as);
      await visit(opened.page, '/schemas/hostile/inspector');
      const found = await opened.page
        .locator('th a')
        .evaluateAll((all) => all.map((link) => [link.textContent ?? '', link.getAttribute('href') ?? ''] as const));
      links = new Map(found);
    });

    it('the list shows it', () => {
      expect([...links.keys()].toSorted()).toEqual(HOSTILE.map(shown).toSorted());
    });

    it.each(HOSTILE.map((name) => [labelOf(name), name]))(
      '%s has a page, by an address of its own',
      async (_, name) => {
        const { page, complaints } = opened;
        await visit(page, links.get(shown(name)) ?? '');
        await page.getByRole('table', { name: 'Properties' }).waitFor();
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(shown(name));
        expect(await names(page)).toEqual([shown(name)]);
        expect(await page.title()).toBe(`${visibleText(name)} · Branchline`.trim().replaceAll(/ +/g, ' '));
        expect(complaints).toEqual([]);
      },
    );
  });
});

describe.skipIf(!existsSync(join(BUILT_CONSOLE, 'index.html')))(
  'the size of the console’s JavaScript, compressed',
  () => {
    const sizeOf = (names: readonly string[]): number =>
      names.reduce((sum, name) => sum + gzipSync(readFileSync(join(BUILT_CONSOLE, 'assets', name))).length, 0);

    it('is less than 60 kB for the first page, and 150 kB for all', () => {
      const page = readFileSync(join(BUILT_CONSOLE, 'index.html'), 'utf8');
      const first = [...page.matchAll(/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name);
      expect(first).not.toEqual([]);
      expect(sizeOf(first)).toBeLessThan(60_000);
      const all = readdirSync(join(BUILT_CONSOLE, 'assets')).filter((name) => name.endsWith('.js'));
      expect(sizeOf(all)).toBeLessThan(150_000);
    });
  },
);

interface Budget {
  workspace: Use;
  sources: { source: string; budget: Use }[];
  apiKeys: { keyId: string; budget: Use }[];
}

type Use = Record<'shapes', { used: number; most: number }>;

/** A name as the page writes it: what can't be seen, by its number. */
function shown(name: string): string {
  return visibleText(name).replaceAll(/⟨(U\+\w+)⟩/g, '$1');
}

function labelOf(name: string): string {
  return name.length > 100 ? `${name.slice(0, 1)} × ${name.length}` : JSON.stringify(name);
}

/** Has the page believe that the reader sees it, or not. */
async function becomes(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
     document.dispatchEvent(new Event('visibilitychange'));`,
  );
}
