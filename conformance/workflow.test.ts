import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from './package.json' with { type: 'json' };
import { conformanceCommand } from './command-line/conformance.ts';
import { type Given, suiteOptions } from './command-line/options.ts';
import { reportTargets } from './engine/report/index.ts';

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: { path?: string };
}

interface Workflow {
  on: object;
  permissions: object;
  defaults: { run: { shell: string } };
  jobs: Record<string, { 'runs-on': string; steps: Step[] }>;
}

const text = readFileSync(new URL('../examples/github-actions/conformance.yml', import.meta.url), 'utf8');
const workflow: Workflow = parse(text);
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

interface Ran {
  /** How the programs were called, argument by argument. */
  calls: string[][];
  exitCodes: (number | null)[];
}

/** After the arguments of a call. */
const END = '-- end of the call --';

/** Runs the workflow's scripts, in order, with programs that do nothing but say how they were called. */
function run({ verdict = 0 } = {}): Ran {
  const folder = mkdtempSync(join(tmpdir(), 'branchline-workflow-'));
  const log = join(folder, 'calls');
  writeFileSync(log, '');
  for (const name of ['npm', 'npx', 'curl', 'start-service.sh']) {
    const path = join(folder, name);
    // Written at once: one of the programs runs beside the others.
    const lines = [`printf '%s\\0' "${name}" "$@" '${END}' >> ${log}`];
    writeFileSync(path, ['#!/bin/sh', ...lines, `exit ${name === 'npx' ? verdict : 0}`].join('\n'));
    chmodSync(path, 0o755);
  }
  const env = { PATH: `${folder}:${process.env['PATH']}`, GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  // What GitHub makes of `shell: bash`; jobs wait for nothing that they leave running, but this test must.
  const exitCodes = steps.flatMap(({ run: script }) =>
    script === undefined
      ? []
      : spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', `${script}\nwait`], { cwd: folder, env })
          .status,
  );
  const calls = readFileSync(log, 'utf8').split(`\0${END}\0`).slice(0, -1);
  rmSync(folder, { recursive: true });
  return { calls: calls.map((call) => call.split('\0')), exitCodes };
}

function suiteArguments(): string[] {
  return (
    run()
      .calls.find(([program]) => program === 'npx')
      ?.slice(2) ?? []
  );
}

/** What the real command line makes of the arguments. */
async function givenBy(args: readonly string[]): Promise<Given> {
  let given: Given | undefined;
  const command: Command = conformanceCommand().exitOverride();
  command.action((options: Given) => {
    given = options;
  });
  await command.parseAsync(args, { from: 'user' });
  if (given === undefined) throw new Error('The command did not run.');
  return given;
}

describe('the example for GitHub Actions', () => {
  it('has a trigger, the least permissions, and steps that either use or run something', () => {
    expect(Object.keys(workflow.on)).toContain('push');
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const { uses, run } of steps) expect([uses, run].filter((one) => one !== undefined)).toHaveLength(1);
    for (const { uses = 'actions/checkout@v1' } of steps) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
  });

  it('runs scripts that a shell understands', () => {
    expect(workflow.defaults.run.shell).toBe('bash');
    const { calls, exitCodes } = run();
    expect(exitCodes).toEqual([0, 0, 0, 0]);
    expect(calls.map(([program]) => program).toSorted()).toEqual(['curl', 'npm', 'npx', 'start-service.sh']);
    expect(calls.flatMap(([program, ...args]) => (program === 'npx' ? args[0] : []))).toEqual([
      'branchline-conformance',
    ]);
  });

  it.each([1, 2])('fails where the suite ends with %i', (verdict) => {
    expect(run({ verdict }).exitCodes).toEqual([0, 0, verdict, 0]);
  });

  it('calls the suite with options that it has', async () => {
    const variables = steps.flatMap(({ env = {} }) => Object.keys(env));
    const environment = Object.fromEntries(variables.map((name) => [name, `${name.toLowerCase()}:hush`]));
    const options = suiteOptions(await givenBy(suiteArguments()), undefined, environment);
    expect(options).toMatchObject({
      workspace: 'demo',
      accounts: [
        { name: 'branchline_account', secret: 'hush' },
        { name: 'branchline_second_account', secret: 'hush' },
      ],
      secondWorkspace: { workspace: 'other', account: { name: 'branchline_second_workspace_account', secret: 'hush' } },
    });
    // Everything that a clause may need.
    expect(options.seed).toBeDefined();
  });

  it('keeps and publishes every report that it writes', async () => {
    const given = await givenBy(suiteArguments());
    const targets = reportTargets(given.report);
    expect(targets.map(({ kind }) => kind)).toEqual(['json', 'junit', 'html', 'badge']);
    for (const { path } of targets) expect(path).toMatch(/^conformance\//);
    const kept = steps.flatMap(({ with: { path } = {} }) => path ?? []);
    expect(kept).toEqual(['conformance/\nservice.log\n', 'conformance']);
  });

  it('installs the version of this package', () => {
    expect(text).toContain(`branchline-conformance-${manifest.version}.tgz`);
  });
});
