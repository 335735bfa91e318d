import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDatabase, type TestDatabase } from '../../server/storage/testing/databases.ts';
import { branchline, startProcess } from '../support/command-line.ts';

/** Secrets in files, as containers get them. */

let folder: string;
let database: TestDatabase;
let password: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-files-'));
  database = await newDatabase({ empty: true });
  const url = new URL(database.location.databaseUrl ?? '');
  password = decodeURIComponent(url.password);
  url.password = '';
  env = {
    DATABASE_URL: url.href,
    BRANCHLINE_DATABASE_PASSWORD_FILE: file('password', `${password}\n`),
    BRANCHLINE_HASH_KEY_FILE: file('hash-key', `${randomBytes(32).toString('hex')}\n`),
  };
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.remove();
});

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

describe('the password and the hash key in files', () => {
  it('serve, and administer', async () => {
    const server = await startProcess('/nowhere', ['--drain-delay', '0'], env);
    const made = await branchline(['workspace', 'create', 'shop'], env);
    const readyz = await fetch(`${server.origin}/readyz`);
    expect(await server.stop()).toBe(0);
    expect([made.exitCode, readyz.status]).toEqual([0, 200]);
  });

  it.each<[string, () => Record<string, string>, RegExp]>([
    ['another password', () => ({ BRANCHLINE_DATABASE_PASSWORD_FILE: file('bad', 'a%zz') }), /password authentication/],
    [
      'a password in the URL too',
      () => ({ DATABASE_URL: database.location.databaseUrl ?? '' }),
      /The password of the database is given twice, as itself and as a file: leave one of them out\./,
    ],
    [
      'a URL without a host',
      () => ({ DATABASE_URL: 'postgres:///branchline' }),
      /With --database-password-file the URL of the database must name a host\./,
    ],
    [
      'a hash key given twice',
      () => ({ BRANCHLINE_HASH_KEY: 'a'.repeat(64) }),
      /The hash key is given twice, as itself and as a file: leave one of them out\./,
    ],
    ['no hash key in the file', () => ({ BRANCHLINE_HASH_KEY_FILE: file('no-key', 'hush') }), /64 hexadecimal digits/],
    [
      'no such file',
      () => ({ BRANCHLINE_HASH_KEY_FILE: join(folder, 'none') }),
      /of --hash-key-file can't be read: EN/,
    ],
  ])('refused: %s', async (_what, change, sentence) => {
    const refused = await branchline(['workspace', 'list'], { ...env, ...change() });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(sentence);
    for (const secret of [password, 'a%zz', 'hush']) expect(refused.stderr).not.toContain(secret);
  });

  it.each<[string, () => Record<string, string>]>([
    ['without a hash key', () => ({ BRANCHLINE_HASH_KEY_FILE: '' })],
    ['with a file that holds none', () => ({ BRANCHLINE_HASH_KEY_FILE: file('no-hash-key', 'hush') })],
  ])('a start %s leaves the database as it was', async (_how, change) => {
    const untouched = await newDatabase({ empty: true });
    const databaseUrl = untouched.location.databaseUrl ?? '';
    const { BRANCHLINE_HASH_KEY_FILE: _, ...others } = env;
    const given = { ...others, BRANCHLINE_DATABASE_PASSWORD_FILE: '', DATABASE_URL: databaseUrl, ...change() };
    const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    expect((await branchline(['serve', '--port', '0'], named)).exitCode).toBe(2);
    const client = new pg.Client(databaseUrl);
    await client.connect();
    const { rows } = await client.query("select 1 from pg_catalog.pg_tables where schemaname = 'public'");
    await client.end();
    await untouched.remove();
    expect(rows).toEqual([]);
  });

  it('refused: a password without a PostgreSQL database', async () => {
    const { BRANCHLINE_DATABASE_PASSWORD_FILE = '' } = env;
    const args = ['workspace', 'list', '--database-password-file', BRANCHLINE_DATABASE_PASSWORD_FILE];
    expect(await branchline(args)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is for a PostgreSQL database: name that too, by DATABASE_URL.'),
    });
  });
});
