import { readFileSync, writeFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, on all its architectures. */
const TICKS_PER_SECOND = 100;

/** Processor time that a process has taken, user and system. Read from /proc, so on Linux only. */
export function cpuSeconds(pid: number): number {
  // The second field is the program's name in parentheses, which may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ', 2)[1]?.split(' ') ?? [];
  const [user = Number.NaN, system = Number.NaN] = fields.slice(11, 13).map(Number);
  return (user + system) / TICKS_PER_SECOND;
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
