import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Report } from '../../conformance/engine/result.ts';
import { branchline } from '../support/command-line.ts';
import { describeUnless } from '../support/describe-unless.ts';

/** The library for Android, on a plain JVM, in the hands of its driver (`android-sdk/samples/harness`). */
const harness = fileURLToPath(new URL('../../android-sdk/target/sample-harness/harness.jar', import.meta.url));
// A process that lives for a minute: the quickest to start is the best.
const driver = `java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar "${harness}"`;
const missing = existsSync(harness) ? undefined : 'it is not built; run "npm run test:android" first';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function toReport(...args: string[]): Promise<Report> {
  const path = join(folder, 'report.json');
  const ended = await branchline(['conformance', ...args, '--driver', driver, '--report', `json=${path}`]);
  expect(ended.exitCode, ended.stdout + ended.stderr).toBe(0);
  return JSON.parse(await readFile(path, 'utf8'));
}

describeUnless(missing, 'the library for Android', () => {
  it('sends as it is documented and decided, whatever the service does', { timeout: 300_000 }, async () => {
    const { conforms, results } = await toReport('sink', '--profile', 'branchline');
    expect(conforms).toBe(true);
    const others = results.filter(({ id, state }) => state !== 'pass' && !id.startsWith('unseen/'));
    expect(others).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(60);
  });

  it('derives the schema of every vector', { timeout: 120_000 }, async () => {
    const { results } = await toReport('vectors');
    expect(results.filter(({ state }) => state !== 'pass')).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(131);
  });
});
