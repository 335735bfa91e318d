import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { branchline } from '../../test/support/command-line.ts';
import contract from '../generated/contract.json' with { type: 'json' };
import type { Report } from '../engine/result.ts';

const { example } = contract.paths['/inspector/batches/v1'].post.requestBody.content['application/json'];
const LAUNCHER = fileURLToPath(new URL('../../bin/branchline.js', import.meta.url));
const REFERENCE = `"${process.execPath}" "${fileURLToPath(new URL('../library/sink/testing/driver.ts', import.meta.url))}"`;

const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** A run of the sink that somebody watches. */
class Watched {
  readonly #child: ChildProcess;
  stdout = '';
  stderr = '';

  constructor(...args: string[]) {
    this.#child = spawn(process.execPath, [LAUNCHER, 'conformance', 'sink', ...args]);
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    running.push(this.#child);
  }

  /** Waits until it says something. */
  async saying(pattern: RegExp): Promise<string> {
    await expect.poll(() => this.stderr).toMatch(pattern);
    return pattern.exec(this.stderr)?.[1] ?? '';
  }

  /** As Ctrl+C does. */
  async interrupted(): Promise<number> {
    this.#child.kill('SIGINT');
    const [exitCode] = await once(this.#child, 'close');
    return exitCode;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function send(endpoint: string): Promise<Response> {
  const headers = { 'api-key': 'key-of-the-app', 'content-type': 'application/json' };
  return fetch(`${endpoint}/inspector/batches/v1`, { method: 'POST', headers, body: JSON.stringify(example) });
}

describe('a run by hand', () => {
  it('ends with Ctrl+C, and with the report', async () => {
    const path = join(folder, 'by-hand.json');
    const watched = new Watched('--plan', '503', '--report', `json=${path}`);
    const endpoint = await watched.saying(/endpoint is (\S+),/);
    expect((await send(endpoint)).status).toBe(503);
    expect((await send(endpoint)).status).toBe(200);
    await watched.saying(/^Request 2: 1 events; answer: a receipt\.$/m);
    expect(await watched.interrupted(), watched.stdout).toBe(0);
    const report: Report = JSON.parse(readFileSync(path, 'utf8'));
    expect(report).toMatchObject({ requests: 2, conforms: true });
    expect(watched.stdout).toContain('a library driven by hand conforms in what was tried; ');
  });

  it('in which nothing was sent shows nothing', async () => {
    const watched = new Watched();
    await watched.saying(/Ctrl\+C ends the run/);
    expect(await watched.interrupted()).toBe(2);
    expect(watched).toMatchObject({ stdout: '', stderr: expect.stringContaining('Nothing was sent.') });
  });
});

describe('a run with a driver', () => {
  it('ends with Ctrl+C, with what is known by then, and leaves no app behind', async () => {
    const pids = join(folder, 'pids');
    const path = join(folder, 'driven.json');
    const driver = `echo $$ >> "${pids}"; exec ${REFERENCE}`;
    const watched = new Watched('--driver', driver, '--report', `json=${path}`);
    await watched.saying(/^\d+ of \d+ phases: staging/m);
    expect(await watched.interrupted(), watched.stdout).toBe(2);
    const report: Report = JSON.parse(readFileSync(path, 'utf8'));
    expect(report).toMatchObject({ incomplete: true, conforms: false });
    expect(report.results.length).toBeGreaterThan(0);
    expect(report.results.filter(({ state }) => state === 'fail')).toEqual([]);
    const apps = readFileSync(pids, 'utf8').trim().split('\n');
    expect(apps.length).toBeGreaterThan(1);
    expect(apps.filter((pid) => isAlive(Number(pid)))).toEqual([]);
  });

  it('tries one phase alone', async () => {
    const path = join(folder, 'one.json');
    const args = ['--driver', REFERENCE, '--only', 'extraction/', '--report', `json=${path}`];
    const ended = await branchline(['conformance', 'sink', ...args]);
    expect(ended).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1 of 1 phases: extraction') });
    const { results }: Report = JSON.parse(readFileSync(path, 'utf8'));
    expect(results.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'pass'));
  });

  it('tries the vectors too, for one verdict', async () => {
    const path = join(folder, 'vectors.json');
    const args = ['--driver', REFERENCE, '--only', 'vectors/scalars', '--report', `json=${path}`];
    const ended = await branchline(['conformance', 'sink', ...args]);
    expect(ended).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1 of 1 phases: vectors') });
    const { results }: Report = JSON.parse(readFileSync(path, 'utf8'));
    expect(results.filter(({ state }) => state === 'pass').map(({ id }) => id)).toContain('vectors/scalars/true');
    const listed = await branchline(['conformance', 'sink', '--list', '--only', 'vectors/scalars/true']);
    expect(listed.stdout).toMatch(/^profile {3}vectors\/scalars\/true {2}/);
  });

  it('ends with 1 where a library misses a clause', async () => {
    const driver = `${REFERENCE} --fault count-is-text`;
    const ended = await branchline(['conformance', 'sink', '--driver', driver, '--only', 'extraction/types']);
    expect(ended).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('INSPECTOR-SCHEMA-2') });
  });
});

it.each([
  ['--port is for a run without --driver', ['--driver', 'true', '--port', '4000']],
  ['--parallel is for a run with --driver', ['--parallel', '2']],
  ['--retry-wait is for a run with --driver', ['--retry-wait', '20']],
  ['--retry-wait must be a whole number from 1 to 310, not "soon"', ['--driver', 'true', '--retry-wait', 'soon']],
  ['--parallel must be a whole number from 1 to 64, not "0"', ['--driver', 'true', '--parallel', '0']],
  ['--port must be a whole number from 1 to 65535, not "http"', ['--port', 'http']],
  ['The plan has "later", which is no answer', ['--plan', 'later']],
  ['No case has "nothing-like-it"', ['--only', 'nothing-like-it']],
  ['The driver ended when it was asked to "start". It said: No such app.', ['--driver', 'echo No such app. >&2']],
])('ends with 2 and a sentence: %s', async (sentence, args) => {
  const ended = await branchline(['conformance', 'sink', ...args]);
  expect(ended).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  expect(ended.stderr).not.toContain('    at ');
});
