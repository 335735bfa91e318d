import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Runs a program of its own process, whose one command is this. */
function run(action: string) {
  const program = `
    import { Command } from 'commander';
    import { runProgram } from ${JSON.stringify(new URL('run-program.ts', import.meta.url).href)};
    await runProgram(new Command('program').action(${action}), ['node', 'program']);`;
  const args = ['--input-type=module', '--eval', program];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' });
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
