import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const launcher = fileURLToPath(new URL('../../bin/branchline.js', import.meta.url));

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** `branchline generate …` as a process of its own, in a folder; `input` is its standard input. */
export function generateProcess(
  cwd: string,
  args: readonly string[],
  { env, input = '' }: { env?: NodeJS.ProcessEnv | undefined; input?: string } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd, env, maxBuffer: 1 << 26 };
    const child = execFile(process.execPath, [launcher, 'generate', ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

/** The same, for as long as it runs. */
export function startGenerating(cwd: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [launcher, 'generate', ...args], { cwd });
}

/** Waits until a process has written a text. */
export function waitUntilSaid(child: ChildProcess, wanted: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const listen = (chunk: Buffer): void => {
      text += chunk.toString();
      if (text.includes(wanted)) resolve();
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('close', () => reject(new Error(`The process ended without saying "${wanted}"; it said: ${text}`)));
  });
}
