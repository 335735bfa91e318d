import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { RunningSubject } from '../subjects/subject.ts';
import { fromRoot } from '../subjects/subject.ts';
import { cpuSeconds, mainThreadSeconds } from '../process-figures.ts';
import type { LoadPlan, LoadResult } from './plan.ts';

export interface Measured extends LoadResult {
  perSecond: number;
  /** Processor time that the server took for a request, in microseconds. */
  cpuMicroseconds: number;
  /** That of its main thread alone. */
  mainThreadMicroseconds: number;
}

/** Has another process load the server, and measures both ends. */
export async function measureLoad({ origin, pid }: RunningSubject, plan: Omit<LoadPlan, 'origin'>): Promise<Measured> {
  const before = [cpuSeconds(pid), mainThreadSeconds(pid)] as const;
  const result = await generate({ ...plan, origin });
  const [cpu, mainThread] = [cpuSeconds(pid) - before[0], mainThreadSeconds(pid) - before[1]];
  const [wrong] = Object.entries(result.unexpected);
  if (wrong !== undefined) throw new Error(`${origin} answered ${wrong[1]} requests with ${wrong[0]}.`);
  return {
    ...result,
    perSecond: result.requests / result.seconds,
    cpuMicroseconds: (cpu * 1e6) / result.requests,
    mainThreadMicroseconds: (mainThread * 1e6) / result.requests,
  };
}

/** Has another process load a server. */
export async function generate(plan: LoadPlan): Promise<LoadResult> {
  const child = spawn(process.execPath, [fromRoot('bench/load/generator.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(plan));
  const result: LoadResult = JSON.parse(await text(child.stdout));
  return result;
}
