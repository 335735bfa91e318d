import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { cpuSecondsOfEnded } from '../process-figures.ts';
import { fromRoot } from '../subjects/subject.ts';

/** What a command took, in milliseconds. */
export interface Took {
  cpu: number;
  wall: number;
}

/** Runs a Node program to its end. */
export async function timeProgram(parameters: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Took> {
  const cpu = cpuSecondsOfEnded();
  const begun = performance.now();
  const child = spawn(process.execPath, parameters, { cwd: tmpdir(), env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${parameters.join(' ')} ended with ${code}: ${said.slice(0, 1_000)}`);
  return { cpu: (cpuSecondsOfEnded() - cpu) * 1_000, wall: performance.now() - begun };
}

/** `branchline …`, with a cache of its own. */
export function timeBranchline(parameters: readonly string[], cache: string): Promise<Took> {
  return timeProgram([fromRoot('bin/branchline.js'), ...parameters], { ...process.env, XDG_CACHE_HOME: cache });
}

/** `branchline generate --watch`, which takes changes one at a time. */
export async function watchGenerating(
  parameters: readonly string[],
  cache: string,
): Promise<{ change: (save: () => void) => Promise<number>; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [fromRoot('bin/branchline.js'), 'generate', '--watch', ...parameters], {
    env: { ...process.env, XDG_CACHE_HOME: cache },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const settled = async (): Promise<void> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error('branchline generate --watch ended.');
      if (value.startsWith('Watching')) return;
    }
  };
  await settled();
  return {
    async change(save) {
      const begun = performance.now();
      save();
      await settled();
      return performance.now() - begun;
    },
    async stop() {
      child.kill('SIGINT');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
