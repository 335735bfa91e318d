import { execFile } from 'node:child_process';
import { Refusal } from './refusal.ts';

const LAST_LINES = 20;

/**
 * Runs a program to its end, in a folder.
 *
 * @returns what it printed
 * @throws Refusal with the end of that, where it fails
 */
export function run(cwd: string, program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, maxBuffer: 64 * 1_024 * 1_024 }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const last = `${stdout}${stderr}`.trimEnd().split('\n').slice(-LAST_LINES);
      reject(
        new Refusal([...last, `"${[program, ...args].join(' ')}" failed (${error.code ?? error.signal}).`].join('\n')),
      );
    });
  });
}
