import { Client } from 'undici';
import { v7 } from 'uuid';
import { openAdministration } from '../../server/accounts/administration.ts';
import { launchBrowser, openPage } from '../../test/console/support/browser.ts';
import type { SignedIn } from '../../test/support/server.ts';
import type { Table } from '../measure.ts';
import { decimals } from '../numbers.ts';
import { quantile } from '../statistics.ts';
import { startBranchline } from '../subjects/branchline.ts';
import { type BenchClient, makeDatabase } from '../subjects/database.ts';
import { WORKSPACE } from '../subjects/place.ts';
import { makePostgres } from '../subjects/postgres.ts';
import { fillPostgres, fillSqlite } from './fill-tables.ts';
import type { Scale } from './scale.ts';
import { requestsOf, type Screen, screensAt } from './screens.ts';
import { filledTables } from './tables.ts';

/** What a request of a page should take at most, at the 95th percentile. */
const GOAL_MS = 100;

/** So many take turns that none of them asks for more than a person may. */
const PEOPLE = 100;

/** The first requests find nothing compiled or read, and do not count. */
const WARM_UP = 10;

interface EngineTimes {
  engine: string;
  /** Milliseconds at the 95th percentile, by request. */
  p95: Map<string, number>;
  /** Which screen asks for it. */
  screens: Map<string, Screen>;
}

/** How long the requests of each page take on both engines, one after the other. */
export async function screenTimes(scale: Scale, requests: number): Promise<Table> {
  const found = [await onSqlite(scale, requests), await onPostgres(scale, requests)];
  const [first] = found;
  return {
    columns: ['Screen', 'Request', ...found.map(({ engine }) => `${engine}, p95 ms`), `Goal: ${GOAL_MS} ms`],
    rows: [...(first?.screens ?? [])].map(([request, { name }]) => {
      const times = found.map(({ p95 }) => p95.get(request) ?? Number.NaN);
      return [
        name,
        shown(request),
        ...times.map((time) => decimals(time, 1)),
        Math.max(...times) < GOAL_MS ? 'met' : 'missed',
      ];
    }),
  };
}

async function onSqlite(scale: Scale, requests: number): Promise<EngineTimes> {
  const database = await makeDatabase();
  try {
    fillSqlite(database.file, filledTables(scale, Date.now()));
    const location = { database: database.file, databaseUrl: undefined };
    return { engine: 'SQLite', ...(await timesOf(scale, requests, database, location)) };
  } finally {
    database.remove();
  }
}

async function onPostgres(scale: Scale, requests: number): Promise<EngineTimes> {
  const { client, url, remove } = await makePostgres();
  try {
    await fillPostgres(url, filledTables(scale, Date.now()));
    const location = { database: '', databaseUrl: url };
    return { engine: 'PostgreSQL', ...(await timesOf(scale, requests, client, location)) };
  } finally {
    await remove();
  }
}

async function timesOf(
  scale: Scale,
  requests: number,
  client: BenchClient,
  location: { database: string; databaseUrl: string | undefined },
): Promise<Omit<EngineTimes, 'engine'>> {
  const people = await addPeople({ ...location, hashKey: client.hashKey });
  const { databaseUrl, database } = location;
  const server = await startBranchline(client, databaseUrl === undefined ? { file: database } : { url: databaseUrl });
  try {
    const screens = await recordRequests(server.origin, screensAt(scale), people[0]);
    const p95 = new Map<string, number>();
    for (const request of screens.keys()) {
      p95.set(request, quantile(await timesOfRequest(server.origin, request, people, requests), 0.95));
    }
    return { p95, screens };
  } finally {
    await server.stop();
  }
}

/** What the pages ask for, each request with the first page that does. */
async function recordRequests(
  origin: string,
  screens: readonly Screen[],
  as: SignedIn | undefined,
): Promise<Map<string, Screen>> {
  const browser = await launchBrowser();
  const asked = new Map<string, Screen>();
  for (const screen of screens) {
    const { page } = await openPage(browser, { origin }, { as });
    for (const request of await requestsOf(page, screen)) if (!asked.has(request)) asked.set(request, screen);
    await page.context().close();
  }
  await browser.close();
  return asked;
}

async function timesOfRequest(
  origin: string,
  path: string,
  people: readonly SignedIn[],
  requests: number,
): Promise<number[]> {
  const client = new Client(origin, { pipelining: 1 });
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + requests; index += 1) {
    const { cookie = '' } = people[index % people.length] ?? {};
    const begun = performance.now();
    const { statusCode, body } = await client.request({ method: 'GET', path, headers: { cookie } });
    await body.dump({ limit: Number.POSITIVE_INFINITY });
    times.push(performance.now() - begun);
    if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}.`);
  }
  await client.close();
  return times.slice(WARM_UP);
}

async function addPeople(config: Parameters<typeof openAdministration>[0]): Promise<SignedIn[]> {
  const { storage, workspaces, sessions } = await openAdministration(config);
  const people: SignedIn[] = [];
  await workspaces.write(WORKSPACE, async (tx) => {
    for (let index = 0; index < PEOPLE; index += 1) {
      const userId = v7();
      const email = `person-${index}@example.com`;
      await tx
        .insertInto('users')
        .values({
          workspace_id: WORKSPACE,
          user_id: userId,
          email,
          email_key: email,
          role: 'admin',
          password_hash: null,
          created_at: Date.now(),
          last_sign_in_at: null,
        })
        .execute();
      const { token } = await sessions.begin(tx, WORKSPACE, userId);
      people.push({ workspaceId: WORKSPACE, userId, email, cookie: `branchline-session=${WORKSPACE}.${token}` });
    }
  });
  await storage.close();
  return people;
}

/** Without what all have in common, and no longer than a line. */
function shown(request: string): string {
  const text = request.replace(`/workspaces/${WORKSPACE}/`, '').replaceAll('|', '%7C');
  return text.length > 70 ? `${text.slice(0, 69)}…` : text;
}
