import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branchline, type Ended } from '../../test/support/command-line.ts';
import { type Service, listen } from '../selftest/service/listen.ts';
import contract from '../generated/contract.json' with { type: 'json' };
import { faultNamed } from '../engine/report/testing/reports.ts';
import type { Report } from '../engine/result.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/branchline.js', import.meta.url));
const DRIVER = fileURLToPath(new URL('../library/sink/testing/driver.ts', import.meta.url));
const { example } = contract.paths['/inspector/batches/v1'].post.requestBody.content['application/json'];

const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
let good: Service;
let bad: Service;
beforeAll(async () => {
  [good, bad] = await Promise.all([listen(), listen(faultNamed('url-http'))]);
});
afterAll(async () => {
  await Promise.all([good.close(), bad.close()]);
  rmSync(folder, { recursive: true });
});

function commandFor(
  { origin, accounts: [account] }: Service,
  more: readonly string[],
): [string[], Record<string, string>] {
  const known = ['conformance', '--base-url', origin, '--workspace', account?.workspaceId ?? ''];
  return [[...known, ...more], { BRANCHLINE_ACCOUNT: `${account?.name}:${account?.secret}` }];
}

function conformance(service: Service, ...more: string[]): Promise<Ended> {
  return branchline(...commandFor(service, ['--rate', 'none', '--only', 'creation/', ...more]));
}

function waivers(...list: readonly Record<string, string>[]): string {
  const path = join(folder, 'waivers.yaml');
  writeFileSync(path, JSON.stringify({ waivers: list }));
  return path;
}

function read(path: string): Report {
  return JSON.parse(readFileSync(path, 'utf8'));
}

describe('--report', () => {
  it('writes as many reports as are wanted, of every kind', async () => {
    const kinds = { json: '{', junit: '<?xml', html: '<!doctype html>', badge: '<svg' };
    const paths = Object.keys(kinds).map((kind) => [`${kind}=${join(folder, `every=${kind}`)}`]);
    const ended = await conformance(bad, ...paths.flatMap((path) => ['--report', ...path]));
    expect(ended).toMatchObject({ exitCode: 1, stderr: expect.not.stringContaining('branchline:') });
    for (const [kind, begin] of Object.entries(kinds))
      expect(readFileSync(join(folder, `every=${kind}`), 'utf8').startsWith(begin)).toBe(true);
  });

  it('says that not all was tried', async () => {
    const path = join(folder, 'part.json');
    const ended = await conformance(good, '--report', `json=${path}`);
    expect(ended.stdout).toContain(
      'conforms in what was tried in the cases with "creation/", which are not all; 1 of ',
    );
    expect(read(path)).toMatchObject({ selection: { only: ['creation/'] }, conforms: true });
  });

  it.each([
    [
      '--report must be kind=file, where the kind is one of json, junit, html, badge, github, har, not "pdf=x"',
      'pdf=x',
    ],
    ['--report must be kind=file', 'json'],
    ['--report must be kind=file', 'json='],
    ['--report must be kind=file', 'constructor=x'],
    ['(ENOENT)', 'json=/no/such/folder/report.json'],
    ['(EISDIR)', `html=${tmpdir()}`],
  ])('ends with 2 and a sentence, before anything is sent: %s', async (sentence, target) => {
    const before = good.requests();
    const ended = await conformance(good, '--report', target);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(good.requests()).toBe(before);
  });

  it('does not write two reports to one file', async () => {
    const ended = await conformance(good, '--report', 'json=same', '--report', 'html=same');
    expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('the one file same') });
  });

  it('leaves the file as it was where the run can not begin', async () => {
    const [old, fresh] = [join(folder, 'old.json'), join(folder, 'fresh.json')];
    writeFileSync(old, 'before');
    const more = ['--report', `json=${old}`, '--report', `html=${fresh}`, '--account', 'release-bot:wrong'];
    expect((await conformance(good, ...more)).exitCode).toBe(2);
    expect(readFileSync(old, 'utf8')).toBe('before');
    expect(existsSync(fresh)).toBe(false);
  });
});

describe('a service that answers 429 to every invalid name', () => {
  it('does not end as one that conforms: what it says to them was never seen', async () => {
    const limited = await listen({
      change: {
        limit: ({ operation, body }) =>
          operation === 'create' && !/"name":"[a-z0-9-]+"/.test(body.toString())
            ? { kind: 'limited', status: 429, headers: { 'retry-after': '0' }, body: '' }
            : undefined,
      },
    });
    const [args, env] = commandFor(limited, ['--rate', 'none', '--only', 'invalid-names/empty']);
    const ended = await branchline(args, env);
    await limited.close();
    expect(ended).toMatchObject({
      exitCode: 2,
      stdout: expect.stringMatching(
        /answered 429 .* each time\.\n +BRANCH-CREATE-400-2,[^]*conforms in what was tried in/,
      ),
    });
  });
});

describe('--waivers', () => {
  const known = { case: 'creation/url', reason: 'Ticket 42.' };

  it('forgives a known failure', async () => {
    const path = join(folder, 'waived.json');
    const ended = await conformance(bad, '--waivers', waivers(known), '--report', `json=${path}`);
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Waived: Ticket 42.') });
    expect(read(path).waivers).toEqual([{ ...known, state: 'used' }]);
  });

  it('fails a run whose waiver is not needed any more', async () => {
    const ended = await conformance(good, '--waivers', waivers(known));
    expect(ended).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/creation\/url .* remove it\./) });
  });

  it('forgives nothing after its last day', async () => {
    const ended = await conformance(bad, '--waivers', waivers({ ...known, until: '2020-12-31' }));
    expect(ended).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('expired on 2020-12-31') });
  });

  it('tells of a waiver that was not used, and fails nothing', async () => {
    const skipped = { case: 'conflicts/second-account', reason: 'r' };
    const ended = await conformance(good, '--waivers', waivers(skipped), '--only', 'conflicts/second-account');
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('was not used') });
  });

  it.each([
    ['there is no case "creation/earl" here', { case: 'creation/earl', reason: 'r' }],
    ['is no file of waivers: waivers[0] must have', { case: 'creation/url' }],
  ])('ends with 2 and a sentence, before anything is sent: %s', async (sentence, waiver) => {
    const before = good.requests();
    const ended = await conformance(good, '--waivers', waivers(waiver));
    expect(ended).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(good.requests()).toBe(before);
  });
});

describe('--fail-fast', () => {
  const known = { case: 'creation/url', reason: 'Ticket 42.' };

  it('ends at the first failure, and says so', async () => {
    const path = join(folder, 'fast.json');
    const ended = await conformance(bad, '--rate', '20', '--fail-fast', '--report', `json=${path}`);
    expect(ended).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('does not conform; the run ended at its first failure.'),
    });
    const { results, stopped, conforms } = read(path);
    expect({ stopped, conforms }).toEqual({ stopped: true, conforms: false });
    expect(results.filter(({ state }) => state === 'fail').map(({ id }) => id)).toEqual(['creation/url']);
    expect(results.length).toBeLessThan(10);
  });

  it('goes on after one that is waived', async () => {
    const path = join(folder, 'slow.json');
    const ended = await conformance(bad, '--fail-fast', '--waivers', waivers(known), '--report', `json=${path}`);
    expect(ended.exitCode).toBe(0);
    expect(read(path)).not.toHaveProperty('stopped');
  });
});

describe('--compare', () => {
  it('tells what is broken, and what is fixed, since an earlier report', async () => {
    const [then, now] = [join(folder, 'then.json'), join(folder, 'now.json')];
    await conformance(good, '--report', `json=${then}`);
    const page = join(folder, 'now.html');
    const broken = await conformance(bad, '--compare', then, '--report', `json=${now}`, '--report', `html=${page}`);
    expect(broken).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('1 broken since: creation/url') });
    expect(read(now).comparison).toMatchObject({
      startedAt: read(then).startedAt,
      broken: ['creation/url'],
      fixed: [],
    });
    expect(readFileSync(page, 'utf8')).toMatch(/<h3>1 broken since<\/h3>\s*<p class="links"><a href="#creation\/url">/);
    const fixed = await conformance(good, '--compare', now);
    expect(fixed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 fixed since: creation/url') });
  });

  it('ends with 2 and a sentence where there is no report', async () => {
    const ended = await conformance(good, '--compare', join(folder, 'none.json'));
    expect(ended).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--compare: the file') });
  });
});

describe('of a client library', () => {
  it('ends with 2 where nothing came that could be judged', async () => {
    const ended = await branchline(['conformance', 'sink', '--seconds', '1']);
    expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Nothing was sent.') });
  });

  const known = { case: 'wire/key-nowhere-else', reason: 'Ticket 43.' };

  /** Plays the service for an app that sends one batch, with the key in the URL if it is the bad one. */
  async function sink(path: string, ...more: string[]): Promise<{ exitCode: number | null; stdout: string }> {
    const child = spawn(process.execPath, [LAUNCHER, 'conformance', 'sink', '--only', 'wire/', ...more]);
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    const endpoint = await firstMatch(child, /endpoint is (http:[^ ,]+)/);
    const headers = { 'api-key': 'key-of-the-app', 'content-type': 'application/json' };
    await fetch(`${endpoint}${path}`, { method: 'POST', headers, body: JSON.stringify(example) });
    const exitCode = await interrupted(child);
    return { exitCode, stdout };
  }

  it('known failures are forgiven, and reported', async () => {
    const path = join(folder, 'sink.json');
    const target = ['--report', `json=${path}`, '--report', `html=${path}.html`, '--report', `junit=${path}.xml`];
    const ended = await sink('/inspector/batches/v1?key=key-of-the-app', '--waivers', waivers(known), ...target);
    expect(ended.stdout).toContain('~ wire/key-nowhere-else');
    expect(read(path).waivers).toEqual([{ ...known, state: 'used' }]);
    for (const file of [path, `${path}.html`, `${path}.xml`])
      expect(readFileSync(file, 'utf8')).not.toContain('key-of-the-app');
  });

  it('a waiver that is not needed any more fails the run', async () => {
    const ended = await sink('/inspector/batches/v1', '--waivers', waivers(known));
    expect(ended).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('remove it') });
  });

  it('the vectors too', async () => {
    const own = join(folder, 'vectors');
    mkdirSync(own);
    const input = { map: [[{ string: 'a' }, { int: '1' }]] };
    const wrong = { id: 'own/one', title: 'Odd.', input, expected: [{ name: 'a', type: 'string' }] };
    writeFileSync(join(own, 'own.json'), JSON.stringify({ cases: [wrong] }));
    const args = ['conformance', 'vectors', '--vectors', own, '--driver', `node ${DRIVER}`];
    expect(await branchline(args)).toMatchObject({ exitCode: 1 });
    const waived = await branchline([...args, '--waivers', waivers({ case: 'vectors/own/one', reason: 'r' })]);
    expect(waived).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('~ vectors/own/one') });
  });
});

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  it('ends a run with what was seen until then', async () => {
    mkdirSync(join(folder, signal));
    const path = join(folder, signal, 'report.json');
    const [args, env] = commandFor(good, ['--rate', '20', '--report', `json=${path}`]);
    const child = spawn(process.execPath, [LAUNCHER, ...args], { env: { ...process.env, ...env } });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    await firstMatch(child, /^(\d+) of \d+ cases$/);
    expect(await interrupted(child, signal)).toBe(2);
    expect(stdout).toContain('The run was interrupted');
    const report = read(path);
    expect(report).toMatchObject({ incomplete: true, conforms: false });
    expect(report.results.some(({ state }) => state === 'pass')).toBe(true);
  });
});

async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  if (child.stderr === null) throw new Error('There is no standard error.');
  for await (const line of createInterface({ input: child.stderr })) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error('It ended before.');
}

/** @returns the exit code. */
async function interrupted(child: ChildProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
  const ended = once(child, 'close');
  child.kill(signal);
  await ended;
  return child.exitCode;
}
