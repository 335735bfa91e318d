import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What a line prints that was pasted into a shell. */
export async function runShell(line: string): Promise<string> {
  const { stdout } = await execute('sh', ['-c', line]);
  return stdout;
}
