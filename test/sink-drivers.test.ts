import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Report } from '../conformance/engine/result.ts';
import { branchline } from './support/command-line.ts';
import { describeUnless } from './support/describe-unless.ts';

const missing = spawnSync('python3', ['--version']).status === 0 ? undefined : 'Python 3 is not installed';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A library and a driver that share nothing with this project but what the vectors say. */
describeUnless(missing, 'a driver in Python', () => {
  it('passes every vector that Python has the values for, and says why it skips others', async () => {
    const path = join(folder, 'report.json');
    const driver = 'python3 -B examples/sink-drivers/driver.py';
    const ended = await branchline(['conformance', 'vectors', '--driver', driver, '--report', `json=${path}`]);
    expect(ended.exitCode, ended.stdout + ended.stderr).toBe(0);
    const { results }: Report = JSON.parse(await readFile(path, 'utf8'));
    expect(results.filter(({ state }) => state === 'pass').length).toBeGreaterThanOrEqual(108);
    const reasons = results.filter(({ state }) => state === 'skip').map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(
      new Set([
        'The driver can not do it: Python has no "array"',
        'The driver can not do it: Python has no "builder"',
        'The driver can not do it: Python has no "char"',
        'The driver can not do it: Python has no "uri"',
        'The driver can not do it: a class of its own for each object is more than this driver makes',
        'The driver can not do it: in Python, text can not fail',
        'The driver can not do it: the text of True and None is another in Python',
      ]),
    );
  });
});
