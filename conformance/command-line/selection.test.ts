import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ended, branchline } from '../../test/support/command-line.ts';
import { jsonReport } from '../engine/report/json.ts';
import { faultNamed, report, result } from '../engine/report/testing/reports.ts';
import { type Service, listen } from '../selftest/service/listen.ts';

const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
let bad: Service;
beforeAll(async () => {
  bad = await listen(faultNamed('url-http'));
});
afterAll(async () => {
  await bad.close();
  rmSync(folder, { recursive: true });
});

function conformance(...args: string[]): Promise<Ended> {
  const [account] = bad.accounts;
  const target = ['--base-url', bad.origin, '--workspace', account?.workspaceId ?? '', '--rate', 'none'];
  const environment = { BRANCHLINE_ACCOUNT: `${account?.name}:${account?.secret}` };
  return branchline(['conformance', ...target, ...args], environment);
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('a selection', () => {
  it('may be given often, and the verdict says that it was not all', async () => {
    const ended = await conformance('--only', 'creation', '--only', 'NAME-1', '--exclude', 'creation/url');
    expect(ended).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /in the cases with "creation" or "NAME-1" without "creation\/url", which are not all/,
      ),
    });
  });

  it('chooses what is listed', async () => {
    const { stdout } = await branchline([
      'conformance',
      '--list',
      '--only',
      'open',
      '--level',
      'observed',
      '--exclude',
      'open/size',
    ]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(line).toMatch(/^observed {2}open\/(?!size )/);
  });
});

describe('--rerun-failed', () => {
  it('tries what failed in an earlier report', async () => {
    const path = join(folder, 'first.json');
    const first = await conformance('--only', 'creation', '--report', `json=${path}`);
    expect(first.exitCode).toBe(1);
    const again = await conformance('--rerun-failed', path);
    expect(again).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('required  1 failed') });
    expect(again.stdout).not.toContain('passed');
  });

  it.each([
    ["can't be read: ENOENT", join(folder, 'none.json')],
    ['is no JSON report', write('text.json', 'text')],
    ['is no JSON report', write('other.json', '{"results":[{"id":1}]}')],
    ['nothing failed in', write('passed.json', jsonReport(report([result()])))],
    [
      'The options leave no case to try',
      write('gone.json', jsonReport(report([result({ id: 'gone/since', state: 'fail', problems: ['x'] })]))),
    ],
  ])('ends with 2 and a sentence: %s', async (sentence, path) => {
    const ended = await conformance('--rerun-failed', path);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  });
});

it.each([
  ['No case has "creation/earl" as its id', ['--exclude', 'creation/earl']],
  ['It must be one of required, profile, observed.', ['--level', 'optional']],
  ['The options leave no case to try', ['--only', 'creation', '--level', 'observed', '--exclude', 'creation']],
  ['The options leave no case to try', ['--only', 'contract']],
])('ends with 2 and a sentence: %s', async (sentence, args) => {
  const ended = await branchline(['conformance', ...args]);
  expect(ended).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(sentence) });
});
