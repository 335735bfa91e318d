import type { Lease, Leases, Rest, When } from './lease.ts';
import { type Pace, takeSteps } from './steps.ts';

/** Work that one process at a time does, of all that have the same database. */
export interface MaintenanceTask {
  /** Its row in the table `maintenance`. */
  readonly name: string;
  /** All that is to be done now. Each turn of the iterator is one step: a short transaction or two. */
  steps: () => AsyncIterable<unknown>;
  /** When it is due again. Defaults to `inAnHour`. */
  readonly rest?: Rest;
}

export interface RunOptions {
  leases: Leases;
  pace: Pace;
  signal: AbortSignal;
  when: When;
}

/** `done`: all of it; `stopped`: the signal came or the lease was lost; `refused`: another process has it, or it is not due. */
export type Run = 'done' | 'stopped' | 'refused';

/** Runs a task, unless another process does. */
export async function runTask(task: MaintenanceTask, { leases, pace, signal, when }: RunOptions): Promise<Run> {
  const lease = await leases.take(task.name, when, task.rest);
  if (lease === undefined) return 'refused';
  const done = await workWhileHeld(lease, task, () => takeSteps(task.steps(), { pace, signal, mayGoOn: lease.hold }));
  return done ? 'done' : 'stopped';
}

/** What failed is tried again when it is due: mostly it would fail again at once. */
async function workWhileHeld(
  lease: Lease,
  { rest = 'inAnHour' }: MaintenanceTask,
  work: () => Promise<boolean>,
): Promise<boolean> {
  let done: boolean;
  try {
    done = await work();
  } catch (error) {
    await lease.giveBack(rest).catch(() => {});
    throw error;
  }
  await lease.giveBack(done ? rest : 'atOnce');
  return done;
}
