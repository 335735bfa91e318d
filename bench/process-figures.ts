import { readFileSync, writeFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, on all its architectures. */
const TICKS_PER_SECOND = 100;

/** Processor time that a process has taken, user and system. Read from /proc, so on Linux only. */
export function cpuSeconds(pid: number): number {
  const { own } = cpuTicks(pid);
  return own / TICKS_PER_SECOND;
}

/** Of its main thread alone. */
export function mainThreadSeconds(pid: number): number {
  return ticksIn(`/proc/${pid}/task/${pid}/stat`).own / TICKS_PER_SECOND;
}

/** The same of a process and all that it has started, be they ended or not. */
export function cpuSecondsWithChildren(pid: number): number {
  const { own, ended } = cpuTicks(pid);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return (own + ended) / TICKS_PER_SECOND + children.reduce((sum, child) => sum + cpuSecondsIfAlive(child), 0);
}

/** Processor time of all children of this process that have ended, and of theirs. */
export function cpuSecondsOfEnded(): number {
  return cpuTicks(process.pid).ended / TICKS_PER_SECOND;
}

function cpuSecondsIfAlive(pid: number): number {
  try {
    return cpuSecondsWithChildren(pid);
  } catch {
    return 0;
  }
}

/** Of a process itself, and of its children that have ended. */
function cpuTicks(pid: number): { own: number; ended: number } {
  return ticksIn(`/proc/${pid}/stat`);
}

function ticksIn(file: string): { own: number; ended: number } {
  // The second field is the program's name in parentheses, which may hold spaces.
  const fields = readFileSync(file, 'utf8').split(') ', 2)[1]?.split(' ') ?? [];
  const [user = Number.NaN, system = Number.NaN, endedUser = Number.NaN, endedSystem = Number.NaN] = fields
    .slice(11, 15)
    .map(Number);
  return { own: user + system, ended: endedUser + endedSystem };
}

/** Memory that a process holds now, and the most that it held since {@link forgetPeak}; in bytes. */
export function residentMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * 1_024;
  return { now: kibibytes('VmRSS'), peak: kibibytes('VmHWM') };
}

/** Begins the peak of a process anew (proc(5), clear_refs). */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
