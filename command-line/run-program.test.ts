import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

/** The arguments of a Node that runs a program whose one command is this. */
function program(action: string): string[] {
  const text = `
    import fs from 'node:fs';
    import os from 'node:os';
    import { Command } from 'commander';
    import { requireReader, runProgram } from ${JSON.stringify(new URL('run-program.ts', import.meta.url).href)};
    await runProgram(new Command('program').action(${action}), ['node', 'program']);`;
  return ['--input-type=module', '--eval', text];
}

/** Runs it in a process of its own, with its output going to a file. */
function run(action: string, stdout: number | 'pipe' = 'pipe') {
  const { status, stderr } = spawnSync(process.execPath, program(action), {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    stdio: ['pipe', stdout, 'pipe'],
  });
  return { status, stderr };
}

/** Runs it while nobody reads its output any more. */
async function runWithoutReader(action: string) {
  const child = spawn(process.execPath, program(`() => process.stdin.resume().on('end', ${action})`), {
    cwd: import.meta.dirname,
  });
  child.stdout.destroy();
  child.stdout.once('close', () => child.stdin.end());
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { status, stderr };
}

it('a command that waits for what never comes ends with a sentence', () => {
  expect(run('() => new Promise(() => {})')).toEqual({
    status: 2,
    stderr: 'program: The command has stopped half-way: what it waits for never comes. Report this as a fault.\n',
  });
});

it('one whose working folder is gone says so', () => {
  const action = `() => {
    const folder = fs.mkdtempSync(os.tmpdir() + '/branchline-gone-');
    process.chdir(folder);
    fs.rmdirSync(folder);
    process.cwd();
  }`;
  expect(run(action)).toEqual({
    status: 2,
    stderr: 'program: The working folder is gone; change to one that is there.\n',
  });
});

it('one that ends while something is still under way ends by itself', () => {
  expect(run('() => void setImmediate(() => {})')).toEqual({ status: 0, stderr: '' });
});

const LOST = /^program: Standard output can't be written: .*delete what it is for, or make another\.\n$/;

it('one whose reader is gone ends without a word', async () => {
  const ended = await runWithoutReader("() => process.stdout.write('one of many lines')");
  expect(ended).toEqual({ status: 0, stderr: '' });
});

it('one that shows a secret says that nobody has read it', async () => {
  const ended = await runWithoutReader("() => { requireReader(); process.stdout.write('a secret'); }");
  expect(ended).toEqual({ status: 2, stderr: expect.stringMatching(LOST) });
});

const FULL = '/dev/full';
const isThere = existsSync(FULL);

it.skipIf(!isThere)(
  `one whose output can't be written says so${isThere ? '' : ` (skipped: there is no ${FULL})`}`,
  () => {
    const full = openSync(FULL, 'w');
    const { status, stderr } = run("() => void process.stdout.write('a secret')", full);
    closeSync(full);
    expect(stderr).toMatch(LOST);
    expect(stderr).toContain('ENOSPC');
    expect(status).toBe(2);
  },
);
