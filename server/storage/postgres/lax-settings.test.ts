import { expect, inject, it } from 'vitest';
import { administer } from '../testing/databases.ts';
import { openPostgres } from './database.ts';

it.each<[setting: string, value: string, told: string[]]>([
  ['synchronous_commit', 'on', ['fsync = off']],
  ['synchronous_commit', 'local', ['fsync = off']],
  ['synchronous_commit', 'off', ['synchronous_commit = off: what was answered', 'fsync = off: when its machine']],
  ['idle_session_timeout', '5s', ['synchronous_commit = off', 'fsync = off', 'idle_session_timeout = 5s: requests']],
  ['idle_session_timeout', '20s', ['synchronous_commit = off', 'fsync = off']],
  ['statement_timeout', '4999', ['synchronous_commit = off', 'fsync = off', 'statement_timeout = 4999ms: reads']],
  ['statement_timeout', '5s', ['synchronous_commit = off', 'fsync = off']],
  ['client_min_messages', 'error', ['synchronous_commit = off', 'fsync = off', 'client_min_messages = error: a write']],
])('with %s = %s the operator is told what may be lost', async (setting, value, told) => {
  const cluster = inject('postgresUrl') ?? '';
  const name = `committing_${value}`;
  await administer(cluster, `create database ${name}`, `alter database ${name} set ${setting} = '${value}'`);
  const storage = await openPostgres(Object.assign(new URL(cluster), { pathname: `/${name}` }).href);
  await storage.close();
  await administer(cluster, `drop database ${name}`);
  // The server of tests writes nothing to its disk for certain.
  expect(storage.notices).toEqual(told.map((text) => expect.stringContaining(text)));
});
