import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

interface Step {
  name?: string;
  if?: string;
  uses?: string;
  with?: Record<string, unknown>;
  shell?: string;
  env?: Record<string, string>;
  run?: string;
}

export interface Action {
  name: string;
  description: string;
  inputs: Record<string, { description: string; default?: string; required?: boolean }>;
  runs: { using: string; steps: Step[] };
}

export function parseAction(text: string): Action {
  return parse(text);
}

/** What a run of the action printed, and which steps of it ran to which end. */
export interface ActionRun {
  log: string;
  summary: string;
  exitCodes: Record<string, number | null>;
}

/** Where and with what an action is run. */
export interface Job {
  /** The folder of the action. */
  action: string;
  /** The folder that is checked out. */
  workspace: string;
  inputs: Readonly<Record<string, string>>;
}

/** Runs the scripts of an action as GitHub does; what it uses of others is left out. */
export async function runAction({ inputs: declared, runs }: Action, job: Job): Promise<ActionRun> {
  const folder = mkdtempSync(join(tmpdir(), 'branchline-action-'));
  const summary = join(folder, 'summary');
  const defaults = Object.entries(declared).map(([name, { default: value = '' }]) => [name, value]);
  const inputs: Record<string, string> = { ...Object.fromEntries(defaults), ...job.inputs };
  const context = { inputs, action: job.action };
  const ran: ActionRun = { log: '', summary: '', exitCodes: {} };
  let failed = false;
  for (const { name = '', if: condition = 'success()', env = {}, run } of runs.steps) {
    if (run === undefined || !isTrue(condition, context, failed)) continue;
    const variables = Object.entries(env).map(([key, value]) => [key, filledIn(value, context)]);
    const environment = { ...Object.fromEntries(variables), GITHUB_STEP_SUMMARY: summary, PATH: path() };
    const { exitCode, output } = await bash(run, job.workspace, environment);
    ran.log += output;
    ran.exitCodes[name] = exitCode;
    failed ||= exitCode !== 0;
  }
  ran.summary = readFileSync(summary, { encoding: 'utf8', flag: 'a+' });
  rmSync(folder, { recursive: true });
  return ran;
}

interface Context {
  inputs: Readonly<Record<string, string>>;
  action: string;
}

/** @throws Error at what this test does not know of GitHub's language. */
function filledIn(text: string, context: Context): string {
  return text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => valueOf(expression, context));
}

function valueOf(expression: string, { inputs, action }: Context): string {
  if (expression === 'github.action_path') return action;
  const [, name = ''] = /^inputs\.([a-z-]+)$/.exec(expression) ?? [];
  const value = inputs[name];
  if (value === undefined) throw new Error(`The action has no ${expression}.`);
  return value;
}

function isTrue(condition: string, context: Context, failed: boolean): boolean {
  const terms = condition.split(' && ');
  const goesOn = terms.includes('always()') || !failed;
  return (
    goesOn &&
    terms
      .filter((term) => !term.endsWith('()'))
      .every((term) => {
        const [, left = '', right] = /^(\S+) == '(.*)'$/.exec(term) ?? [];
        return valueOf(left, context) === right;
      })
  );
}

/** Node 24 first, as actions/setup-node leaves it. */
function path(): string {
  return `${dirname(process.execPath)}:${process.env['PATH']}`;
}

/** What GitHub makes of `shell: bash`. */
function bash(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ exitCode: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}
