import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branchline, startProcess } from './support/command-line.ts';

/** Named pipes, devices and loops of links where the operator's files are expected: each is refused with a sentence, at once. */

let folder: string;
let database: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-irregular-'));
  database = join(folder, 'branchline.db');
  await (await startProcess(database, ['--drain-delay', '0'])).stop();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  symlinkSync('/dev/zero', join(folder, 'device'));
  symlinkSync('loop', join(folder, 'loop'));
  writeFileSync(join(folder, 'large'), '');
  truncateSync(join(folder, 'large'), 600 * 1024 ** 2);
});

afterAll(() => rmSync(folder, { recursive: true }));

const KINDS = [
  ['pipe', /is a named pipe, not a regular file/],
  ['device', /is a device, not a regular file/],
] as const;

const OTHERS = [
  ['large', /has more than [\d,]+ bytes/],
  ['loop', /ELOOP/],
] as const;

const inFolder = (name: string) => join(folder, name);

const serve = (...args: string[]) => branchline(['serve', '--port', '0', '--database', database, ...args]);

const serveAndList = (file = database) =>
  Promise.all([
    branchline(['serve', '--port', '0', '--database', file]),
    branchline(['workspace', 'list', '--database', file]),
  ]);

const refused = (sentence: RegExp) => ({
  exitCode: 2,
  stderr: expect.stringMatching(new RegExp(`^branchline: .*(?:${sentence.source}).*\\n$`)),
});

describe('in place of a file that a setting names', () => {
  const settings = ['--hash-key-file', '--oidc-client-secret-file', '--tls-cert'];

  it.each([
    ...settings.flatMap((flag) => KINDS.map(([name, sentence]) => [flag, name, sentence] as const)),
    ...OTHERS.map(([name, sentence]) => ['--tls-cert', name, sentence] as const),
  ])('%s: a %s', async (flag, name, sentence) => {
    const key = flag === '--tls-cert' ? ['--tls-key', inFolder('missing')] : [];
    const ended = await serve(flag, inFolder(name), ...key);
    expect(ended).toMatchObject(refused(sentence));
    expect(ended.stderr).toContain(`The file of ${flag} can't be read: `);
  });

  it.each(['--hash-key-file', '--oidc-client-secret-file', '--tls-key'])(
    '%s: the secret itself, which is not repeated',
    async (flag) => {
      const secret = 'c0ffee'.repeat(10);
      writeFileSync(inFolder('certificate'), '-----BEGIN CERTIFICATE-----');
      const ended = await serve(flag, secret, ...(flag === '--tls-key' ? ['--tls-cert', inFolder('certificate')] : []));
      expect(ended).toMatchObject(refused(/ENOENT/));
      expect(ended.stderr).toContain(`The file of ${flag} can't be read: `);
      expect(ended.stderr).not.toContain(secret);
    },
  );

  it.each(['sslrootcert', 'sslcert', 'sslkey'])('%s in the URL of PostgreSQL: a pipe', async (parameter) => {
    const url = `postgres://x@127.0.0.1:1/x?sslmode=require&${parameter}=${inFolder('pipe')}`;
    const ended = await branchline(['workspace', 'list'], { DATABASE_URL: url });
    expect(ended).toMatchObject(refused(/The file of \w+ in the URL of the database can't be read: .* named pipe/));
  });
});

it.each([...KINDS, ...OTHERS])('in place of the key file: a %s', async (name, sentence) => {
  const key = readFileSync(`${database}.key`);
  rmSync(`${database}.key`);
  symlinkSync(name, `${database}.key`);
  const ended = await serveAndList();
  rmSync(`${database}.key`);
  writeFileSync(`${database}.key`, key, { mode: 0o600 });
  expect(ended).toMatchObject([refused(sentence), refused(sentence)]);
});

describe.each([KINDS[0], ['loop', /ELOOP/] as const])('SQLite is kept from a %s', (name, sentence) => {
  it.each(['-wal', '-shm', '-journal'])('in place of the file %s', async (suffix) => {
    symlinkSync(name, database + suffix);
    const ended = await serveAndList();
    rmSync(database + suffix);
    expect(ended).toMatchObject([refused(sentence), refused(sentence)]);
  });

  it.each(['-wal', '-journal'])('in place of the file %s of the lock', async (suffix) => {
    symlinkSync(name, `${database}.lock${suffix}`);
    const ended = await serve();
    rmSync(`${database}.lock${suffix}`);
    expect(ended).toMatchObject(refused(sentence));
  });

  it('in place of the database', async () => {
    const file = inFolder(name);
    expect(await serveAndList(file)).toMatchObject([refused(sentence), refused(sentence)]);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});

it('a named pipe in place of the lock is refused', async () => {
  rmSync(`${database}.lock`, { force: true });
  execFileSync('mkfifo', [`${database}.lock`]);
  const ended = await serve();
  rmSync(`${database}.lock`);
  expect(ended).toMatchObject(refused(/is a named pipe, not a regular file/));
});

it.each([
  ['a name that is too long', () => `${'a'.repeat(300)}.db`, /ENAMETOOLONG/],
  ['a name too long for what lies beside it', () => 'a'.repeat(252), /ENAMETOOLONG/],
  ['a folder that is a file', () => join('large', 'branchline.db'), /EEXIST|ENOTDIR|There is no database/],
])('%s ends in a sentence', async (_what, name, sentence) => {
  const file = inFolder(name());
  expect(await serveAndList(file)).toMatchObject([refused(sentence), refused(sentence)]);
});
