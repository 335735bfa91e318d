// @module-tag both-engines
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OtherHashKey } from '../../server/accounts/present-hash-key.ts';
import { Workspaces } from '../../server/accounts/workspaces.ts';
import { testedEngine } from '../../server/storage/testing/databases.ts';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { Browser } from '../support/browser.ts';
import { expectError } from '../support/expect-error.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** What docs/operating.md says of a server that runs on with the old hash key while a workspace is moved to another one. */

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';

let server: TestServer;
let log: string[];
const workspaceId = 'shop';

beforeEach(async () => {
  log = [];
  server = await startTestServer({ log: { write: (line) => log.push(line) } });
});
afterEach(() => server.close());

const move = () => new Workspaces(server.administration.storage, Date.now, 'another key').rekey(workspaceId);

/** Who waits for the transaction that asks. */
const WAITING = sql`select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid /* a test */`;

/** All ways to a new secret. */
const makers = {
  account: () => server.createAccount(),
  key: () => server.administration.keys.create({ workspaceId, source: 'shop', samplingRate: 1 }),
  session: () => server.signIn('admin'),
  link: () => server.administration.users.createOpenLink(workspaceId, 'viewer'),
};

async function countSecrets(): Promise<number> {
  const { db } = ofTest(server.administration.storage);
  let count = 0;
  for (const table of ['service_accounts', 'api_keys', 'sessions', 'sign_in_links'] as const)
    count += (await db.selectFrom(table).select('workspace_id').execute()).length;
  return count;
}

describe('a server that runs on with the old hash key', () => {
  it('answers whoever signs in 503, and says in its log what to do', async () => {
    const { token } = await makers.link();
    expect((await new Browser(server).signIn({ token, email: EMAIL, password: PASSWORD })).status).toBe(201);
    await move();
    const signIn = { email: EMAIL, password: PASSWORD };
    expectError(await new Browser(server).signIn(signIn), 503, "The service can't answer now. Try again in a moment.");
    expect(await countSecrets()).toBe(0);
    const errors = log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    expect(errors).toMatchObject([
      { msg: expect.stringMatching(/"shop" was moved to another hash key.*start every server/) },
    ]);
    expectError(await new Browser(server).signIn({ ...signIn, password: 'a wrong one' }), 401);
  });

  it('answers secrets of a workspace that was made with another key 503, not as if they were wrong', async () => {
    const account = await server.createAccount();
    const { text } = await makers.key();
    const { token } = await makers.link();
    // As another server has stored it.
    await ofTest(server.administration.storage).db.updateTable('workspaces').set({ hash_key_id: 'another' }).execute();
    const path = `${server.workspacePath}/branches/v1`;
    const batches = { method: 'POST', path: '/inspector/batches/v1', as: null, headers: { 'api-key': text }, json: {} };
    const answers = [
      await server.call({ path, as: account }),
      await server.call(batches),
      await new Browser(server).signIn({ token, email: EMAIL, password: PASSWORD }),
    ];
    for (const answer of answers) expectError(answer, 503, "The service can't answer now. Try again in a moment.");
    // Nobody learns of accounts that are not there.
    expectError(await server.call({ path, as: { ...account, name: 'nobody-aaaaaaaa' } }), 401);
    const errors = log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    expect(errors).toHaveLength(3);
    expect(errors[0].msg).toMatch(/"shop" was moved to another hash key .*or made with one.*start every server again/);
  });

  it.each(Object.entries(makers))('stores no secret of the workspace: %s', async (_name, make) => {
    await make();
    await move();
    await expect(make()).rejects.toThrow(OtherHashKey);
    expect(await countSecrets()).toBe(0);
  });

  it('leaves none behind that it was storing meanwhile', async () => {
    const storing = Array.from({ length: 20 }, () => Object.values(makers).map((make) => make())).flat();
    const [moved, ...stored] = await Promise.allSettled([move(), ...storing]);
    expect(moved.status).toBe('fulfilled');
    for (const one of stored) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(OtherHashKey);
    expect(await countSecrets()).toBe(0);
  });

  it('is waited for while it stores one, which then goes too', async () => {
    const { workspaces, sessions } = server.administration;
    const { moved } = await workspaces.write(workspaceId, async (tx) => {
      await sessions.begin(tx, workspaceId, 'a person');
      const beside = { moved: move() };
      // On SQLite there is one writer at a time.
      if (testedEngine() === 'postgres')
        await expect.poll(async () => (await WAITING.execute(tx)).rows).toHaveLength(1);
      return beside;
    });
    await moved;
    expect(await countSecrets()).toBe(0);
  });

  it('goes on storing those of other workspaces', async () => {
    await server.administration.workspaces.create('bank');
    await move();
    await server.createAccount(undefined, 'bank');
    expect(await countSecrets()).toBe(1);
  });
});
