import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { newSqlite } from '../../server/storage/testing/databases.ts';
import { eventReport } from '../support/batch.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { type Schema, sendEvents, sendRejected } from './support/inspector.ts';
import { makeBranch } from './support/workspace.ts';

// `npm run screenshots [pages]`: the pages of the console, as wide as a desk's screen, a tablet and a phone.

const FOLDER = join(import.meta.dirname, '../../docs/images/console');

const WIDTHS = [
  { name: 'wide', width: 1440, height: 900, colorScheme: 'light' },
  { name: 'middle', width: 768, height: 1024, colorScheme: 'dark' },
  { name: 'narrow', width: 320, height: 640, colorScheme: 'light' },
] as const;

let daysAgo = 0;
const clock = (): number => Date.now() - daysAgo * 24 * 3_600_000;
const server = await startTestServer({ database: await newSqlite(), clock });
const browser = await launchBrowser();
try {
  await sendForWeeks(server);
  await server.administration.workspaces.create('new');
  const admin = await server.signIn('admin');
  const elsewhere = await server.signIn('admin', 'new');
  const paths = await pages(server, admin);
  const wanted = process.argv.slice(2);
  await mkdir(FOLDER, { recursive: true });
  for (const { name: size, width, height, colorScheme } of WIDTHS) {
    const viewport = { width, height };
    const { page } = await openPage(browser, server, { as: admin, viewport, colorScheme, reducedMotion: 'reduce' });
    for (const [name, path] of Object.entries(paths)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      await page.context().addCookies([cookieOf(path.startsWith('/schemas/new/') ? elsewhere : admin)]);
      // A stream never leaves the network idle.
      await page.goto(path, { waitUntil: name === 'live' ? 'load' : 'networkidle' });
      if (name === 'live') await showLive(server, page);
      await page.screenshot({ path: join(FOLDER, `${name}-${size}.png`), fullPage: true });
    }
  }
} finally {
  await browser.close();
  await server.close();
}

function cookieOf({ cookie }: SignedIn) {
  const [name = '', value = ''] = cookie.split('=', 2);
  return { name, value, url: server.origin, httpOnly: true };
}

/** What two apps send in three weeks: a release that changes a type, and one that names events at run time. */
async function sendForWeeks(on: TestServer): Promise<void> {
  const { text: iosKey } = await on.administration.keys.create({
    workspaceId: 'shop',
    source: 'ios-shop',
    samplingRate: 0.5,
  });
  const viewed = (price: 'float' | 'string', ...more: Schema): [string, Schema] => [
    'Product Viewed',
    [{ name: 'productId', type: 'string' }, { name: 'price', type: price }, ...more],
  ];
  const placed: [string, Schema] = [
    'Order Placed',
    [
      { name: 'total', type: 'float' },
      { name: 'coupons', type: 'list', items: [{ type: 'string' }, { type: 'null' }] },
      { name: 'user', type: 'object', properties: [{ name: 'age', type: 'int' }] },
    ],
  ];
  for (daysAgo = 20; daysAgo >= 0; daysAgo -= 1) {
    const many = 4 + ((daysAgo * 7) % 11);
    const isNewer = daysAgo < 6;
    const android = Array.from({ length: many }, () => viewed('float', { name: 'currency', type: 'string' }));
    await sendEvents(on, { events: [...android, placed, 'Signed Up'], appVersion: isNewer ? '1.5.0' : '1.4.0' });
    await sendEvents(on, {
      events: Array.from({ length: 3 + (daysAgo % 4) }, () => viewed(isNewer ? 'string' : 'float')),
      apiKey: iosKey,
      appVersion: isNewer ? '3.1' : '3.0',
    });
  }
  daysAgo = 0;
  await sendEvents(on, {
    events: Array.from({ length: 12 }, (_, user) => `user ${4_711 + user} \u202Eopened`),
    environment: 'dev',
    appVersion: '1.6.0-dev',
  });
}

async function pages(on: TestServer, admin: SignedIn): Promise<Record<string, string>> {
  await makeBranch(on, 'checkout-events', { through: ['ReadyForReview', 'Approved', 'Merged'] });
  await makeBranch(on, 'cart-abandonment', { as: admin, through: ['ReadyForReview'] });
  await makeBranch(on, 'search-filters', { through: ['ReadyForReview', 'Approved'] });
  await makeBranch(on, 'wish-list', { as: admin });
  await makeBranch(on, 'old-idea', { through: ['Closed'] });
  const branchId = await makeBranch(on, 'sign-up-funnel', { as: admin, through: ['ReadyForReview', 'Approved'] });
  const branch = `${on.workspacePath}/branches/${branchId}`;
  await on.call({
    method: 'POST',
    path: `${branch}/collaborators/v1`,
    json: { collaboratorEmail: 'grace@example.com' },
  });
  await on.call({ method: 'POST', path: `${branch}/publications/v1`, json: {} });
  await on.signIn('editor');
  await administer(on, admin);
  return {
    'sign-in': '/sign-in?workspace=shop',
    branches: '/schemas/shop/branches',
    branch: `/schemas/shop/branches/${branchId}`,
    events: '/schemas/shop/inspector',
    event: '/schemas/shop/inspector/events/Product%20Viewed?split=appVersion',
    'event-shapes': '/schemas/shop/inspector/events/Order%20Placed?show=shapes',
    issues: '/schemas/shop/inspector/issues',
    'first-event': '/schemas/new/inspector',
    live: '/schemas/shop/inspector/live',
    sources: '/schemas/shop/inspector/sources',
    people: '/schemas/shop/settings/people',
    accounts: '/schemas/shop/settings/accounts',
    audit: '/schemas/shop/settings/audit',
    'not-found': '/nothing/here',
  };
}

/** What arrives while the page is looked at. */
async function showLive(on: TestServer, page: Page): Promise<void> {
  await page.locator('.live-state', { hasText: 'Live' }).waitFor();
  await sendEvents(on, { events: ['Product Viewed', 'Product Viewed', 'Signed Up'], appVersion: '1.5.0' });
  const twice = { name: 'total', type: 'float' } as const;
  await sendRejected(on, eventReport('Order Placed', [twice, twice]));
  await sendEvents(on, { events: ['Product Viewed'], environment: 'staging' });
  await page.locator('tbody tr:nth-child(3)').waitFor();
}

async function administer(on: TestServer, { cookie }: SignedIn): Promise<void> {
  const create = async (what: string, json: unknown): Promise<void> => {
    const path = `${on.workspacePath}/${what}/v1`;
    const { status, text } = await on.call({ method: 'POST', path, as: null, headers: { cookie }, json });
    if (status !== 201) throw new Error(text);
  };
  await create('users', { email: 'grace@example.com', role: 'viewer' });
  await create('users', { email: 'somebody.with-quite-a-long-name@analytics.example.com', role: 'editor' });
  await create('service-accounts', { name: 'nightly-export', email: 'ops@example.com', scopes: ['branches:export'] });
  await create('api-keys', { source: 'ios-shop', samplingRate: 0.25 });
}
