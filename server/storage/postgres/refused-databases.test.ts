import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { UserError } from '@branchline/command-line';
import { administer, newDatabase, type TestDatabase } from '../testing/databases.ts';
import { errorOf } from '../testing/error-of.ts';
import { openPostgres } from './database.ts';

/** What a start is told of a database that it can't use. */

let database: TestDatabase;
let url: string;

beforeEach(async () => {
  database = await newDatabase();
  url = database.location.databaseUrl ?? '';
});
afterEach(() => database.remove());

/** For what is not to run out, however slow the machine is. */
const LONG_MS = 3_600_000;

const openAndClose = async (place: string): Promise<void> => (await openPostgres(place)).close();

it('a role without rights on the tables of another one is told what to grant, and with that it starts', async () => {
  await openAndClose(url);
  const role = `${new URL(url).pathname.slice(1)}_other`;
  const asRole = new URL(url);
  asRole.username = role;
  asRole.password = 'hidden-3';
  await administer(url, `create role ${role} login password 'hidden-3'`);
  const error = await errorOf(openPostgres(asRole.href));
  expect(String(error)).toMatch(
    /The role \w+ has too few rights .*permission denied for .*The tables there are those of/,
  );
  const [, grant = ''] = /: (grant [^:]*);$/.exec(String(error)) ?? [];
  await administer(url, grant);
  await openAndClose(asRole.href);
  await administer(url, `drop owned by ${role}`, `drop role ${role}`);
});

it('a role that may create no tables is told what to grant, and with that it starts', async () => {
  await database.remove();
  database = await newDatabase({ empty: true });
  url = database.location.databaseUrl ?? '';
  const name = new URL(url).pathname.slice(1);
  const role = `${name}_role`;
  const asRole = new URL(url);
  asRole.username = role;
  asRole.password = 'hidden-2';
  await administer(url, `create role ${role} login password 'hidden-2'`);
  const error = await errorOf(openPostgres(asRole.href));
  expect(error).toBeInstanceOf(UserError);
  expect(String(error)).toMatch(/The role \w+ has too few rights .*permission denied for schema public/);
  expect(String(error)).not.toContain('hidden');
  const [, grant = ''] = /: (grant .*);/.exec(String(error)) ?? [];
  await administer(url, grant);
  await openAndClose(asRole.href);
  await administer(url, `drop owned by ${role}`, `drop role ${role}`);
});

it('a role that looks for the tables where they are not is told so, and with their schema it starts', async () => {
  await openAndClose(url);
  const elsewhere = new URL(url);
  elsewhere.searchParams.set('options', '-c search_path=nowhere');
  expect(String(await errorOf(openPostgres(elsewhere.href)))).toMatch(/search_path/);
  elsewhere.searchParams.set('options', '-c search_path=nowhere,public');
  await openAndClose(elsewhere.href);
});

describe('a PostgreSQL database that can not be used', () => {
  const elsewhere = (change: (url: URL) => void) => {
    const other = new URL(url);
    change(other);
    return other.href;
  };

  it.each<[string, (url: URL) => void, RegExp]>([
    [
      'nobody listens',
      (other) => (other.port = '1'),
      /"test_\w+" on 127\.0\.0\.1:1 can't be used .*ECONNREFUSED.*Check --database-url/,
    ],
    ['the password is wrong', (other) => (other.password = 'hidden-1'), /password authentication failed.*Check/],
    [
      'a password stands for the user',
      (other) => Object.assign(other, { username: 'hidden-1', password: 'x' }),
      /password authentication failed for user "…".*Check/,
    ],
    [
      'a password stands for the value of a parameter',
      (other) => other.searchParams.set('options', '-c work_mem=hidden-1'),
      /invalid value for parameter "…": "…".*Check/,
    ],
    [
      'its certificate is not there',
      (other) => other.searchParams.set('sslrootcert', '/hidden-1'),
      /The file of sslrootcert in the URL of the database can't be read: ENOENT: no such file or directory, open '…'\./,
    ],
    [
      'there is no such sslmode',
      (other) => other.searchParams.set('sslmode', 'hidden-1'),
      /The sslmode in the URL of the database must be one of: allow, prefer, require, verify-ca, verify-full, disable, no-verify\./,
    ],
    ['there is no such database', (other) => (other.pathname = '/nothing'), /"nothing" on .*does not exist.*Check/],
    ['there is no such host', (other) => (other.host = 'nowhere.invalid'), /nowhere\.invalid.*(ENOTFOUND|EAI_AGAIN)/],
  ])('because %s is refused with a sentence that holds no secret', async (_why, change, sentence) => {
    // However long it takes to learn that there is no such host.
    const error = await errorOf(openPostgres(elsewhere(change), { connectMs: LONG_MS }));
    expect(error).toBeInstanceOf(UserError);
    expect(String(error)).toMatch(sentence);
    expect(String(error)).not.toMatch(/secret|hidden-1/);
  });

  it('because its encoding is not UTF-8 is refused', async () => {
    const cluster = inject('postgresUrl') ?? '';
    await administer(cluster, `create database latin template template0 encoding latin1 locale 'C'`);
    await expect(openPostgres(elsewhere((other) => (other.pathname = '/latin')))).rejects.toThrow(
      /has the encoding LATIN1\. Make one with: encoding 'UTF8'/,
    );
    await administer(cluster, 'drop database latin');
  });

  it.each([
    ['default_transaction_isolation', "'repeatable read'", 'are “repeatable read” by default'],
    [
      'default_transaction_isolation',
      'serializable',
      'are “serializable” by default, and Branchline needs “read committed”',
    ],
    ['extra_float_digits', '0', 'are rounded when they are read (extra_float_digits is 0)'],
    ['extra_float_digits', '-15', 'are rounded when they are read (extra_float_digits is -15)'],
  ])('because of its setting %s = %s is refused, with what mends it', async (setting, value, complaint) => {
    const cluster = inject('postgresUrl') ?? '';
    const name = `set_${value.replaceAll(/\W/g, '_')}`;
    await administer(cluster, `create database ${name}`);
    await administer(cluster, `alter database ${name} set ${setting} = ${value}`);
    const url = elsewhere((other) => (other.pathname = `/${name}`));
    const error = String(await errorOf(openPostgres(url)));
    expect(error).toContain(complaint);
    const [mend] = /alter database [^;]*/.exec(error) ?? [];
    await administer(cluster, mend ?? '');
    await openAndClose(url);
    await administer(cluster, `drop database ${name}`);
  });
});

it('a server that says nothing is waited for as long as the URL says', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = once(silent, 'connection');
  let outcome: unknown = 'none';
  const { port } = silent.address() as AddressInfo;
  const opening = openPostgres(`postgres://me@127.0.0.1:${port}/x?connect_timeout=100`).catch(
    (error: unknown) => (outcome = error),
  );
  await asked;
  vi.advanceTimersByTime(99_999);
  await turnOfTheLoop();
  expect(outcome).toBe('none');
  vi.advanceTimersByTime(1);
  expect(String(await opening)).toMatch(/can't be used .*timeout/);
});
