import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('../../bin/branchline.js', import.meta.url));

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs `branchline` with these arguments to its end.
 *
 * @param onError called with what it writes to stderr, as it does
 */
export function branchline(
  args: readonly string[],
  env: Record<string, string> = {},
  onError: (text: string) => void = () => {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: REPOSITORY, env: { ...process.env, ...env }, maxBuffer: 64 * 1_024 * 1_024 };
    const child = execFile(process.execPath, [LAUNCHER, ...args], options, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stderr?.on('data', onError);
  });
}

/** A server process. */
export interface ServerProcess {
  process: ChildProcess;
  origin: string;
  /** What it has printed so far. */
  output: () => string;
  log: () => string;
  /** Settles with the exit code once the whole log is there; null when a signal ended it. */
  ended: Promise<number | null>;
  /** Sends the signal and waits for the end. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** What a process has written may be read later than it has ended; where a test has stopped reading, never. */
async function readToEnd(stream: Readable | null): Promise<void> {
  if (stream?.readableFlowing === true && !stream.closed) await once(stream, 'close');
}

/**
 * Starts `branchline serve` on a free port and waits until it says that it listens, which is the last it prints.
 *
 * @param standardError an open file to which the log goes instead
 * @param before what a shell runs before, such as `ulimit -n 100`
 */
export async function startProcess(
  database: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  standardError: 'pipe' | number = 'pipe',
  before = 'true',
): Promise<ServerProcess> {
  const command = [process.execPath, LAUNCHER, 'serve', '--port', '0', '--database', database, ...args];
  const child = spawn('sh', ['-c', `${before}; exec "$0" "$@"`, ...command], {
    cwd: REPOSITORY,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', standardError],
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const lines: string[] = [];
  if (child.stdout === null) throw new Error('The server has no standard output.');
  const reader = createInterface({ input: child.stdout });
  const listening = new Promise<string>((resolve, reject) => {
    reader.on('line', (line) => {
      lines.push(line);
      const origin = /listens on (http:\S+)/.exec(line)?.[1];
      if (origin !== undefined) resolve(origin);
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it listened: ${log}`)));
  });
  const origin = await listening;
  const ended = once(child, 'exit').then(async () => {
    await readToEnd(child.stderr);
    return child.exitCode;
  });
  return {
    process: child,
    origin,
    ended,
    output: () => lines.join('\n'),
    log: () => log,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
