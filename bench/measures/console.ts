import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { BUILT_CONSOLE } from '../../server/console/files.ts';
import { newSqlite } from '../../server/storage/testing/databases.ts';
import { launchBrowser, openPage } from '../../test/console/support/browser.ts';
import { makeBranch } from '../../test/console/support/workspace.ts';
import { type SignedIn, startTestServer, type TestServer } from '../../test/support/server.ts';
import { FULL_SCALE, SMALL_SCALE } from '../console/scale.ts';
import { screenTimes } from '../console/screen-times.ts';
import type { Measure } from '../measure.ts';
import { decimals, whole } from '../numbers.ts';
import { median } from '../statistics.ts';

/** How much slower than this machine's processor that of the reader is taken to be. */
const THROTTLE = 4;

/** How often each request of a page is measured in a round. */
const REQUESTS = 100;

/** As many as a page of the list holds. */
const BRANCHES = 50;

export const consolePages: Measure = {
  name: 'console',
  describe:
    'the size of the console’s files, how soon its pages show something, and what they ask for takes (needs Chromium)',
  async run({ rounds, quick }) {
    const scale = quick ? SMALL_SCALE : FULL_SCALE;
    const server = await startTestServer({ database: await newSqlite() });
    const browser = await launchBrowser();
    for (let index = 0; index < BRANCHES; index += 1) await makeBranch(server, `branch-${index}`);
    const admin = await server.signIn('admin');
    const paint = (path: string, as?: SignedIn): Promise<number> => medianPaint({ browser, server, rounds, path, as });
    const signIn = await paint('/sign-in');
    const branches = await paint('/schemas/shop/branches', admin);
    await browser.close();
    await server.close();
    return {
      title: 'The console',
      about:
        `Sizes are compressed, as they are sent. A paint is the first of any content of a page, in Chromium with an empty cache, with the processor ` +
        `slowed down ${THROTTLE} times; the list shows ${BRANCHES} branches. Goals: JavaScript of the first page under 60 kB, all of it under 150 kB; ` +
        'first paint within 1 s. Below: what each page asks the server for over a workspace of ' +
        `${whole(scale.branches)} branches and ${whole(scale.events * scale.shapesOfEvent)} shapes of ${whole(scale.events)} events, one request ` +
        'after the other, each named with the first page that makes it.',
      tables: [
        {
          columns: ['Figure', 'Value'],
          rows: [
            ['JavaScript of the first page', kilobytes(sizeOf(firstScripts()))],
            ['All JavaScript', kilobytes(sizeOf(built('.js')))],
            ['All styles', kilobytes(sizeOf(built('.css')))],
            ['First contentful paint of the sign-in page', `${whole(signIn)} ms`],
            ['First contentful paint of the list of branches', `${whole(branches)} ms`],
          ],
        },
        await screenTimes(scale, quick ? 20 : REQUESTS * rounds),
      ],
    };
  },
};

interface Opening {
  browser: Browser;
  server: TestServer;
  rounds: number;
  path: string;
  as?: SignedIn | undefined;
}

/** Milliseconds; the first opening finds neither the server's files compressed nor its code compiled, and does not count. */
async function medianPaint({ browser, server, rounds, path, as }: Opening): Promise<number> {
  const paints: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const { page } = await openPage(browser, server, { as });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction('performance.getEntriesByName("first-contentful-paint").length > 0');
    paints.push(await page.evaluate<number>('performance.getEntriesByName("first-contentful-paint")[0].startTime'));
    await page.context().close();
  }
  return median(paints.slice(1));
}

/** Those that the page names; others are loaded by them where they are needed. */
function firstScripts(): string[] {
  const page = readFileSync(join(BUILT_CONSOLE, 'index.html'), 'utf8');
  return [...page.matchAll(/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name);
}

function built(extension: string): string[] {
  return readdirSync(join(BUILT_CONSOLE, 'assets')).filter((name) => name.endsWith(extension));
}

function sizeOf(names: readonly string[]): number {
  const sizes = names.map((name) => gzipSync(readFileSync(join(BUILT_CONSOLE, 'assets', name))).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}

function kilobytes(bytes: number): string {
  return `${decimals(bytes / 1_000, 1)} kB`;
}
