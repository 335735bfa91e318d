import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Runs a program of its own process, whose one command is this, with its output going to a file. */
function run(action: string, stdout: number | 'pipe' = 'pipe') {
  const program = `
    import { Command } from 'commander';
    import { runProgram } from ${JSON.stringify(new URL('run-program.ts', import.meta.url).href)};
    await runProgram(new Command('program').action(${action}), ['node', 'program']);`;
  const args = ['--input-type=module', '--eval', program];
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    stdio: ['pipe', stdout, 'pipe'],
  });
  return { status, stderr };
}

it('a command that waits for what never comes ends with a sentence', () => {
  expect(run('() => new Promise(() => {})')).toEqual({
    status: 2,
    stderr: 'program: The command has stopped half-way: what it waits for never comes. Report this as a fault.\n',
  });
});

it('one that ends while something is still under way ends by itself', () => {
  expect(run('() => void setImmediate(() => {})')).toEqual({ status: 0, stderr: '' });
});

const FULL = '/dev/full';
const isThere = existsSync(FULL);

it.skipIf(!isThere)(
  `one whose output can't be written says so${isThere ? '' : ` (skipped: there is no ${FULL})`}`,
  () => {
    const full = openSync(FULL, 'w');
    const { status, stderr } = run("() => void process.stdout.write('a secret')", full);
    closeSync(full);
    expect(stderr).toMatch(
      /^program: Standard output can't be written: ENOSPC.*delete what it is for, or make another\.\n$/,
    );
    expect(status).toBe(2);
  },
);
