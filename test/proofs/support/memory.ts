import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { ServerProcess } from '../../support/command-line.ts';

const PROBE = new URL('memory-probe.ts', import.meta.url);

/** The environment of a server that runs as `npm start` runs it, and can be asked for {@link memoryHeld}. */
export const WITH_MEMORY_PROBE = { NODE_OPTIONS: `--max-semi-space-size=16 --expose-gc --import=${PROBE.href}` };

/** What the JavaScript of a server holds in memory once its garbage is collected, in MiB. */
export async function memoryHeld(server: ServerProcess): Promise<number> {
  const answers = () => [...server.log().matchAll(/^memory held: (\d+)$/gm)];
  const before = answers().length;
  server.process.kill('SIGUSR2');
  await expect.poll(() => answers().length).toBe(before + 1);
  return Number(answers().at(-1)?.[1]) / 1_048_576;
}

/** Memory of a process that is in RAM, garbage and all, in MiB; Linux only. */
export function memoryInRam({ process: { pid } }: ServerProcess): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024;
  return { now: mebibytes('VmRSS'), peak: mebibytes('VmHWM') };
}

/** From now on the peak of {@link memoryInRam} is the most that there is after this. */
export function forgetPeak({ process: { pid } }: ServerProcess): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
