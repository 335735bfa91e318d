import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branchline, type Ended } from '../../test/support/command-line.ts';
import { faults } from '../selftest/faults/index.ts';
import { type Service, listen } from '../selftest/service/listen.ts';
import type { Report } from '../engine/result.ts';

let good: Service;
let bad: Service;
const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
beforeAll(async () => {
  good = await listen();
  bad = await listen({ change: faults.find(({ name }) => name === 'url-http')?.change() ?? {} });
});
afterAll(async () => {
  await Promise.all([good.close(), bad.close()]);
  rmSync(folder, { recursive: true });
});

function conformance(service: Service, ...more: string[]): Promise<Ended> {
  const [account] = service.accounts;
  const known = ['--base-url', service.origin, '--workspace', account?.workspaceId ?? ''];
  const args = ['conformance', ...known, '--rate', 'none', ...more];
  return branchline(args, { BRANCHLINE_ACCOUNT: `${account?.name}:${account?.secret}` });
}

describe('branchline conformance', () => {
  it('ends with 0 where a service conforms, and writes what it saw', async () => {
    const path = join(folder, 'report.json');
    const ended = await conformance(good, '--report', `json=${path}`);
    expect(ended).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`${good.origin}/ conforms in what was tried; `),
    });
    const report: Report = JSON.parse(readFileSync(path, 'utf8'));
    expect(report.conforms).toBe(true);
    expect(ended.stderr).toMatch(/^\d+ cases, as fast as the service answers\.\n/);
  });

  it('ends with 1 where it does not, and cites the sentence that it misses', async () => {
    const ended = await conformance(bad, '--only', 'creation/url');
    expect(ended.exitCode).toBe(1);
    expect(ended.stdout).toContain('https://<web_host>/schemas/<workspace_segment>/branches/<branch_id>');
    expect(ended.stdout).toContain('does not conform.');
  });

  it('seeds statuses by a command', async () => {
    const seed = `node -e 'fetch("${good.origin}/seed",{method:"POST",body:JSON.stringify({workspaceId:process.env.BRANCHLINE_WORKSPACE_ID,branchId:process.env.BRANCHLINE_BRANCH_ID,branchStatus:process.env.BRANCHLINE_BRANCH_STATUS})})'`;
    const ended = await conformance(good, '--seed-command', seed, '--only', 'statuses/Merged');
    expect(ended.stdout).toContain('required  1 passed');
  });

  it('skips what a failing seed command leaves open', async () => {
    const ended = await conformance(good, '--seed-command', 'exit 3', '--only', 'statuses/Merged');
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('required  1 skipped') });
  });

  it('estimates honestly how long it will take', async () => {
    const ended = await conformance(good, '--rate', '20', '--only', 'invalid-names/');
    expect(ended.stderr).toMatch(
      /^\d+ cases at 20 requests per second for each account and operation: about 3 seconds\./,
    );
  });

  it('explains a clause, and lists the cases', async () => {
    const explained = await branchline(['conformance', '--explain', 'BRANCH-CREATE-400-2']);
    expect(explained.stdout).toMatch(
      /branch name is empty[^]*Branch Management HTTP API, Errors[^]*invalid-names\/empty/,
    );
    expect(await branchline(['conformance', '--explain', 'branch-create-400-2'])).toEqual(explained);
    const listed = await branchline(['conformance', '--list']);
    expect(listed.stdout).toContain('required  conflicts/race');
  });

  it('ends without a word where nobody reads the rest of the list', async () => {
    const { stderr } = await promisify(execFile)('sh', [
      '-c',
      `"$0" bin/branchline.js conformance --list | true`,
      process.execPath,
    ]);
    expect(stderr).toBe('');
  });

  it('shows how it is used', async () => {
    const { exitCode, stdout } = await branchline(['conformance', '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('$ branchline conformance --base-url');
  });

  it.each([
    ['--base-url is needed', []],
    ['There is no clause "BRANCH-9". There are BRANCH-', ['--explain', 'BRANCH-9']],
    ['There is no clause "other". docs/clauses.md has', ['--explain', 'other']],
    ['No case has "nothing-like-it"', ['--only', 'nothing-like-it']],
    ["unknown option '--frob'", ['--frob']],
    ['Allowed choices are branchline', ['--profile', 'other']],
    [
      'could not be reached (ECONNREFUSED)',
      ['--base-url', 'http://127.0.0.1:1', '--workspace', 'w', '--account', 'a:x'],
    ],
  ])('ends with 2 and a sentence: %s', async (sentence, args) => {
    const ended = await branchline(['conformance', ...args]);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toContain(sentence);
    expect(ended.stderr).not.toContain('    at ');
  });

  it('ends with 2 where the account is refused, and does not say its secret', async () => {
    const ended = await conformance(good, '--account', 'release-bot:hush-hush');
    expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('refuses the account "release-bot"') });
    expect(ended.stderr).not.toContain('hush-hush');
  });
});
