import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branchline, startProcess } from './support/command-line.ts';

let folder: string;
let database: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-administration-'));
  database = join(folder, 'branchline.db');
});
afterAll(() => rmSync(folder, { recursive: true }));

const administer = (...args: string[]) => branchline(args, { BRANCHLINE_DATABASE: database });

async function json(...args: string[]) {
  const ended = await administer(...args, '--json');
  expect(ended.stderr).toBe('');
  return JSON.parse(ended.stdout);
}

describe('branchline workspace, account and key', () => {
  it('create, list and delete, beside a running server, with effect at once', async () => {
    const server = await startProcess(database);
    expect(await json('workspace', 'create', 'shop')).toMatchObject({ workspaceId: 'shop' });
    const account = await json('account', 'create', '--workspace', 'shop', '--name', 'ci', '--email', 'ci@example.com');
    const key = await json(
      'key',
      'create',
      '--workspace',
      'shop',
      '--source',
      'android-shop',
      '--sampling-rate',
      '0.5',
    );

    const authorization = `Basic ${Buffer.from(`${account.name}:${account.secret}`).toString('base64')}`;
    const list = async () =>
      (await fetch(`${server.origin}/workspaces/shop/branches/v1`, { headers: { authorization } })).status;
    const send = async () =>
      (await fetch(`${server.origin}/inspector/batches/v1`, { method: 'POST', headers: { 'api-key': key.apiKey } }))
        .status;
    expect([await list(), await send()]).toEqual([200, 400]);

    expect(await json('account', 'list', '--workspace', 'shop')).toEqual([
      expect.objectContaining({ accountId: account.accountId }),
    ]);
    expect(await json('key', 'list', '--workspace', 'shop')).toEqual([
      expect.objectContaining({ keyId: key.keyId, samplingRate: 0.5 }),
    ]);

    await json('account', 'delete', account.accountId, '--workspace', 'shop');
    await json('key', 'delete', key.keyId, '--workspace', 'shop');
    expect([await list(), await send()]).toEqual([401, 401]);
    await server.stop();
  });

  it('show a secret once, and store none', async () => {
    const made = await json(
      'account',
      'create',
      '--workspace',
      'shop',
      '--name',
      'once',
      '--email',
      'once@example.com',
    );
    const listed = await administer('account', 'list', '--workspace', 'shop');
    expect(listed.stdout).toContain(made.name);
    expect(listed.stdout).not.toContain(made.secret);
    expect(readFileSync(database).includes(made.secret)).toBe(false);
  });

  it('invite, list, link and remove people, beside a running server', async () => {
    const server = await startProcess(database);
    const ada = ['--workspace', 'shop', '--email', 'Ada@example.com'];
    const signIn = async (url: string, json: Record<string, string>) => {
      const [, workspace, token] = /#([a-z]+)\.([\w-]{43})$/.exec(url) ?? [];
      const answer = await fetch(`${server.origin}/workspaces/${workspace}/sessions/v1`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server.origin },
        body: JSON.stringify({ token, ...json }),
      });
      return answer.status;
    };
    const unsaid = await administer('user', 'invite', ...ada);
    expect(unsaid).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/is new to the workspace/) });
    const invited = await administer('user', 'invite', ...ada, '--role', 'admin', '--port', '8080');
    const [url = ''] = /http:\/\/localhost:8080\/sign-in#shop\.[\w-]{43}$/m.exec(invited.stdout) ?? [];
    expect(invited.stdout).toMatch(
      /^Added Ada@example\.com as admin\. This link is shown only once, and works once, until 2/,
    );
    expect(await signIn(url, { password: 'correct horse battery staple' })).toBe(201);

    await json('user', 'invite', ...ada, '--role', 'viewer');
    const again = await json('user', 'invite', ...ada, '--origin', 'https://web.example/');
    expect(again).toMatchObject({
      role: 'admin',
      signInUrl: expect.stringMatching(/^https:\/\/web\.example\/sign-in#shop\./),
    });
    const last = await json(
      'user',
      'link',
      '--workspace',
      'shop',
      '--email',
      'ada@EXAMPLE.com',
      '--web-host',
      'w.example',
    );
    expect(last.signInUrl).toMatch(/^https:\/\/w\.example\/sign-in#shop\./);
    expect([await signIn(again.signInUrl, {}), await signIn(last.signInUrl, {})]).toEqual([410, 201]);

    const listed = await json('user', 'list', '--workspace', 'shop');
    expect(listed).toEqual([expect.objectContaining({ email: 'Ada@example.com', role: 'admin', userId: last.userId })]);
    expect(listed[0].lastSignInAt).toMatch(/^2.*Z$/);
    const kept = await administer('user', 'remove', ...ada);
    expect(kept).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/last admin of the workspace "shop"/) });
    await json('user', 'invite', '--workspace', 'shop', '--email', 'eve@example.com', '--role', 'admin');
    expect(await json('user', 'remove', ...ada)).toEqual({ removed: last.userId });
    expect((await administer('user', 'list', '--workspace', 'shop')).stdout).toMatch(
      /│ eve@example\.com +│ admin │ .* │ never +│/,
    );
    await server.stop();
  });

  it('print tables for people', async () => {
    const { stdout, exitCode } = await administer('workspace', 'list');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/workspaceId.*createdAt/);
    expect(stdout).toMatch(/│ shop +│ \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ │/);
  });

  it('delete a workspace only when told so, and then with all that is in it, and for good', async () => {
    await json('workspace', 'create', 'doomed');
    await json('account', 'create', '--workspace', 'doomed', '--name', 'ci', '--email', 'ci@example.com');
    const refused = await administer('workspace', 'delete', 'doomed');
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Add --yes') });
    expect(await json('workspace', 'delete', 'doomed', '--yes')).toEqual({ deleted: 'doomed' });
    expect(await json('workspace', 'list')).not.toContainEqual(expect.objectContaining({ workspaceId: 'doomed' }));
  });

  it('delete a workspace after another deletion that is under way, and say so once', async () => {
    await json('workspace', 'create', 'next');
    const other = new DatabaseSync(database);
    const hold = other.prepare("insert or replace into maintenance values ('emptyWorkspaces', 0, ?, ?, null, null)");
    hold.run('another', Date.now() + 60_000);
    const env = { BRANCHLINE_DATABASE: database };
    const ended = await branchline(['workspace', 'delete', 'next', '--yes'], env, () => hold.run(null, 0));
    other.close();
    expect(ended).toEqual({
      exitCode: 0,
      stdout: 'Deleted the workspace "next".\n',
      stderr: 'Waiting for another deletion that is under way, or was killed less than a minute ago …\n',
    });
  });

  it('print times for scripts as the API writes them', async () => {
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await json('workspace', 'list')).toContainEqual({ workspaceId: 'shop', createdAt: time });
    expect(await json('key', 'create', '--workspace', 'shop', '--source', 'a')).toMatchObject({ createdAt: time });
  });

  it('print a line for the shell that can be pasted, whatever the name', async () => {
    const args = ['--workspace', 'shop', '--name', "it's", '--email', 'a@b.example'];
    const { stdout } = await administer('account', 'create', ...args);
    expect(stdout).toMatch(/curl -u 'it'\\''s-[a-z2-7]{8}:[\w-]{43}'/);
  });

  it.each([
    [['workspace', 'create', 'Not Valid'], /"Not Valid" can't be the id of a workspace\. Use 1 to 63 lowercase/],
    [['workspace', 'create', '--', '--help'], /"--help" can't be the id of a workspace\..*a hyphen is not the first/],
    [['workspace', 'create', 'shop'], /There is a workspace "shop" already\./],
    [
      ['workspace', 'create', 'doomed'],
      /The id "doomed" can't be used again: .* has been deleted\. Choose another one\./,
    ],
    [['workspace', 'delete', 'doomed', '--yes'], /The workspace "doomed" is deleted\. See `branchline workspace list`/],
    [['account', 'create', '--workspace', 'doomed', '--name', 'a', '--email', 'a@b.example'], /"doomed" is deleted/],
    [['key', 'create', '--workspace', 'doomed', '--source', 'a'], /"doomed" is deleted/],
    [
      ['account', 'list', '--workspace', 'nowhere'],
      /There is no workspace "nowhere"\. See `branchline workspace list`/,
    ],
    [['account', 'create', '--workspace', 'shop', '--name', 'a:b', '--email', 'a@b.example'], /without a colon/],
    [
      ['account', 'create', '--workspace', 'shop', '--name', 'a', '--email', 'nobody'],
      /"nobody" is not an e-mail address/,
    ],
    [
      ['account', 'create', '--workspace', 'shop', '--name', 'a', '--email', 'a@b.example', '--scope', 'all'],
      /Allowed choices are branches:create/,
    ],
    [
      ['account', 'create', '--workspace', 'shop', '--name', 'a', '--email', 'a@b.example', '--rate-limit', '-1'],
      /a number from 0.00001 to 1000000/,
    ],
    [
      ['account', 'create', '--name', 'a', '--email', 'a@b.example'],
      /required option '--workspace <id>' not specified/,
    ],
    [['account', 'delete', 'nobody', '--workspace', 'nowhere'], /There is no workspace "nowhere"/],
    [
      ['account', 'create', '--workspace', 'shop', '--name', 'a', '--email', 'a@b.example', '--rate-limit', '0x10'],
      /a number from 0.00001 to 1000000/,
    ],
    [['workspace', 'list', '--database', '/nowhere/at/all.db'], /There is no database at .*Start the server once/],
    [['workspace', 'create', 'a', '--database', '/dev/null/x.db'], /can't be opened/],
    [['serve', '--database', '/dev/null/x.db'], /can't be opened: .*Name another with --database/],
    [['account', 'delete', 'nobody', '--workspace', 'shop'], /no service account with the id nobody/],
    [
      ['account', 'create', '--workspace', 'shop', '--name', 'a', '--email', `${'a'.repeat(251)}@b.c`],
      /not an e-mail address of at most 254 characters/,
    ],
    [['account', 'create', '--workspace', 'shop', '--name', 'a', '--email', 'a@b c'], /is not an e-mail address/],
    [['account', 'create', '--workspace', 'shop', '--name', '', '--email', 'a@b.c'], /must have 1 to 64 characters/],
    [['key', 'delete', 'nothing', '--workspace', 'doomed'], /"doomed" is deleted/],
    [['key', 'create', '--workspace', 'shop', '--source', ''], /source must have 1 to 100 characters/],
    [['key', 'create', '--workspace', 'shop', '--source', 'a', '--sampling-rate', '2'], /from 0 to 1/],
    [['key', 'delete', 'nothing', '--workspace', 'shop'], /no API key with the id nothing/],
    [
      ['user', 'link', '--workspace', 'shop', '--email', 'nobody@example.com'],
      /Nobody of the workspace "shop" has the e-mail/,
    ],
    [['user', 'list', '--workspace', 'nowhere'], /There is no workspace "nowhere"/],
    [
      ['user', 'invite', '--workspace', 'nowhere', '--email', 'a@b.example', '--role', 'admin'],
      /no workspace "nowhere"/,
    ],
    [['user', 'invite', '--workspace', 'shop', '--email', 'nobody', '--role', 'admin'], /"nobody" is not an e-mail/],
    [
      ['user', 'invite', '--workspace', 'shop', '--email', 'a@b.example'],
      /is new to the workspace "shop"\. Say with --role what they may do/,
    ],
    [
      ['user', 'invite', '--workspace', 'shop', '--email', 'a@b.example', '--role', 'king'],
      /choices are viewer, editor, admin/,
    ],
    [
      ['user', 'link', '--workspace', 'shop', '--email', 'a@b.example', '--origin', 'web.example'],
      /must be a URL such as https:/,
    ],
    ...['u:p@x', 'x?y', 'x#y', 'x/y'].map((rest): [string[], RegExp] => [
      ['user', 'link', '--workspace', 'shop', '--email', 'a@b.example', '--origin', `http://${rest}`],
      /without user, path, query or fragment/,
    ]),
    [['serve', '--trusted-proxies', '10.0.0.0/8,proxy'], /must be addresses, networks such as 10\.0\.0\.0\/8/],
    [['frobnicate'], /unknown command 'frobnicate'/],
  ])('answer a mistake with a sentence and exit code 2: %j', async (args, sentence) => {
    const ended = await administer(...args);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toMatch(sentence);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    expect(ended.stdout).toBe('');
  });
});

it('the rate of an account is bounded as it is over the API', async () => {
  const create = ['account', 'create', '--workspace', 'shop', '--name', 'a', '--email', 'a@b.example', '--rate-limit'];
  expect(await json(...create, '1000000')).toMatchObject({ ratePerSecond: 1_000_000 });
  expect(await json(...create, '0.00001')).toMatchObject({ ratePerSecond: 0.00001 });
  for (const rate of ['1000001', '0.000009', '0'])
    expect((await administer(...create, rate)).stderr).toContain('a number from 0.00001 to 1000000');
});

describe('what would command a terminal, or turn the order of what is read', () => {
  const invite = ['user', 'invite', '--workspace', 'shop', '--role', 'viewer', '--email'];

  it('is escaped in the one line that a command prints, also where it was stored long ago', async () => {
    await json(...invite, 'bob@example.com');
    const stored = new DatabaseSync(database);
    stored.prepare('update users set email = ? where email_key = ?').run('a\u202eda\u001b[2J@x.y', 'bob@example.com');
    stored.close();
    const { stdout } = await administer('user', 'link', '--workspace', 'shop', '--email', 'bob@example.com');
    expect(stdout).toContain(String.raw`Created a link for a\u202eda\u001b[2J@x.y.`);
    const removed = await administer('user', 'remove', '--workspace', 'shop', '--email', 'bob@example.com');
    expect(removed.stdout).toContain(String.raw`Removed a\u202eda\u001b[2J@x.y from`);
  });

  it('is escaped in an error, which repeats what was given', async () => {
    const { stderr } = await administer(...invite, 'a\u202eda\u001b[2J');
    expect(stderr).toContain(String.raw`a\u202eda\u001b[2J`);
    const unknown = await administer('account', 'list', '--workspace', 'sh\u202eop\u001b[2J');
    expect(unknown.stderr).toContain(String.raw`sh\u202eop\u001b[2J`);
  });

  it('is not the space between the scopes of an account', async () => {
    const { stdout } = await administer('account', 'list', '--workspace', 'shop');
    expect(stdout).toMatch(/branches:create, branches:export/);
  });
});

describe('the hash key', () => {
  const other = ['--hash-key', 'a'.repeat(64)];

  it('that is not the one of the database is refused, before anything is stored under it', async () => {
    const create = ['account', 'create', '--workspace', 'shop', '--name', 'a', '--email', 'a@b.example'];
    for (const args of [create, ['serve', '--port', '0']]) {
      const refused = await administer(...args, ...other);
      expect(refused).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('hash key is not the one under which'),
      });
    }
  });

  it('that is missing is not made anew; when it is lost for good, rekey keeps all but the accounts', async () => {
    renameSync(`${database}.key`, `${database}.lost`);
    const refused = await administer('workspace', 'list');
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/hash key file .* is missing.*backup/),
    });
    expect(existsSync(`${database}.key`)).toBe(false);

    expect(await administer('workspace', 'rekey', 'shop')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Add --yes'),
    });
    expect(await administer('workspace', 'rekey', 'shpo', '--yes')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There is no workspace "shpo"'),
    });
    expect(existsSync(`${database}.key`)).toBe(false);
    for (const { workspaceId } of await json(
      'workspace',
      'list',
      '--hash-key',
      readFileSync(`${database}.lost`, 'utf8').trim(),
    )) {
      await json('workspace', 'rekey', workspaceId, '--yes');
    }
    expect(await json('account', 'list', '--workspace', 'shop')).toEqual([]);
    await json('account', 'create', '--workspace', 'shop', '--name', 'new', '--email', 'new@example.com');
  });
});
