import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server that runs in a process of its own. */
export interface RunningSubject {
  origin: string;
  pid: number;
  /** Milliseconds from its start until it said that it listens. */
  startedIn: number;
  stop: () => Promise<void>;
}

/**
 * Starts a Node program of this repository, and waits for the line that says where it listens.
 *
 * @param program path from the root of the repository, or that of a program of another checkout
 * @param folder where its log is written
 */
export async function startProgram(
  program: string,
  parameters: readonly string[],
  folder: string,
  nodeOptions: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningSubject> {
  const begun = performance.now();
  const log = openSync(join(folder, 'log'), 'a');
  const child = spawn(process.execPath, [...nodeOptions, fromRoot(program), ...parameters], {
    stdio: ['ignore', 'pipe', log],
    env: { ...process.env, ...environment },
  });
  const origin = await listensOn(child);
  const startedIn = performance.now() - begun;
  return { origin, pid: child.pid ?? 0, startedIn, stop: () => stop(child) };
}

/** An absolute path stays as it is. */
export function fromRoot(path: string): string {
  return resolve(fileURLToPath(new URL('../../', import.meta.url)), path);
}

async function listensOn({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The program has no standard output.');
  for await (const line of createInterface({ input: stdout })) {
    const [, origin] = /listen(?:s|ing) on (http:\S+)/i.exec(line) ?? [];
    if (origin === undefined) continue;
    stdout.resume();
    return origin;
  }
  throw new Error('The program ended without listening; its log says why.');
}

/** Longer than a server takes that still answers its signals. */
const STOP_MS = 20_000;

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  child.kill('SIGINT');
  await once(child, 'exit');
  clearTimeout(kill);
}
