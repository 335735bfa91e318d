import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fromRoot } from './subjects/subject.ts';

const execute = promisify(execFile);

/** Runs a program to its end, and gives back what it printed. */
export async function run(program: string, parameters: readonly string[], folder?: string): Promise<string> {
  const { stdout } = await execute(program, parameters, { cwd: folder, maxBuffer: 64 * 2 ** 20 });
  return stdout;
}

/** Runs a Node program of this repository to its end, and reads the JSON that it prints. */
export async function resultOf<Result>(program: string, parameters: readonly string[]): Promise<Result> {
  const { stdout } = await execute(process.execPath, [fromRoot(program), ...parameters]);
  const result: Result = JSON.parse(stdout);
  return result;
}
