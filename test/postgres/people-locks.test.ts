import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UserChange } from '../../server/accounts/users.ts';
import { administer, newDatabase } from '../../server/storage/testing/databases.ts';
import { Browser } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** People who sign in while admins change them: neither waits for what the other has, and no deadlock must be found first. */

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';

let server: TestServer;
let client: pg.Client;
let watcher: pg.Client;
let person: UserChange;

beforeEach(async () => {
  const database = await newDatabase();
  const url = database.location.databaseUrl ?? '';
  const name = new URL(url).pathname.slice(1);
  // Two that wait for each other fail in the end, and are not helped before.
  await administer(
    url,
    `alter database ${name} set deadlock_timeout = '1h'`,
    `alter database ${name} set lock_timeout = '1min'`,
  );
  server = await startTestServer({ database });
  const { users } = server.administration;
  const { token } = await users.createOpenLink('shop', 'admin');
  const joined = await new Browser(server).signIn({ token, email: EMAIL, password: PASSWORD });
  const { userId } = joined.json() as { userId: string };
  await server.signIn('admin');
  person = { workspaceId: 'shop', userId, by: undefined };
  client = new pg.Client(url);
  await client.connect();
  watcher = new pg.Client(url);
  await watcher.connect();
});

afterEach(async () => {
  await client.end();
  await watcher.end();
  await server.close();
});

const signIn = async () => (await new Browser(server).signIn({ email: EMAIL, password: PASSWORD })).status;
const changeRole = () => server.administration.users.changeRole(person, 'viewer');
const remove = () => server.administration.users.remove(person);

/** On a connection of its own: a transaction sees no backends that came after its first look at them. */
async function countWaiting(): Promise<number> {
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' /* a test */`;
  return (await watcher.query(waits)).rows.length;
}

it.each([
  ['signs in before their role changes', signIn, changeRole, [201, { role: 'viewer' }]],
  ['signs in after their role changes', changeRole, signIn, [{ role: 'viewer' }, 201]],
  ['signs in before they are removed', signIn, remove, [201, 'removed']],
  ['signs in after they are removed', remove, signIn, ['removed', 401]],
])('somebody %s, both at once', async (_when, first, second, outcomes) => {
  await client.query('begin');
  await client.query('select from users where user_id = $1 for update /* a test */', [person.userId]);
  const begun: Promise<unknown>[] = [];
  for (const work of [first, second]) {
    begun.push(work());
    await expect.poll(countWaiting).toBe(begun.length);
  }
  await client.query('commit');
  expect(await Promise.all(begun)).toMatchObject(outcomes);
});
