import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { mostConnections } from '../../server/storage/testing/connections.ts';
import { newDatabase } from '../../server/storage/testing/databases.ts';
import { installOn, printedCredentials } from '../support/postgres-server.ts';

it('a server opens no more connections for requests than its flag says', async () => {
  const database = await newDatabase({ empty: true });
  const url = database.location.databaseUrl ?? '';
  const flags = ['--database-connections', '4', '--rate-limit', '1000'];
  const server = await installOn(database.location).start(flags);
  onTestFinished(async () => {
    await server.stop();
    await database.remove();
  });
  const { authorization = '' } = printedCredentials(server) ?? {};
  const ask = () => fetch(`${server.origin}/workspaces/demo/branches/some-branch/v1`, { headers: { authorization } });
  const other = new pg.Client(url);
  await other.connect();
  await other.query('begin; lock table branches');
  const asked = Array.from({ length: 12 }, ask);
  const { all } = await mostConnections(url, Promise.all(asked));
  await other.end();
  // By default there are ten, of which one workspace gets all but one.
  expect(all).toBeGreaterThanOrEqual(3);
  expect(all).toBeLessThanOrEqual(4);
});
