import type { FastifyInstance } from 'fastify';
import { isUnavailable } from '../storage/transient-errors.ts';
import { Leases } from './lease.ts';
import { type Pace, REAL_PACE, takeSteps } from './steps.ts';
import { type MaintenanceTask, runTask } from './task.ts';
import { type Maintained, maintenanceTasks } from './tasks.ts';

/** The delay after the start before the first check, so that it does not slow the start. */
const FIRST_LOOK_MS = 2_000;

/** Servers that start together check at different times, up to this much later. */
const JITTER_MS = 5_000;

/** How often a server checks whether a task is due, or was abandoned by a server that died. */
const LOOK_EVERY_MS = 60_000;

/** How often a server drops its own in-memory data. */
const OWN_EVERY_MS = 60_000;

export interface ScheduleOptions {
  tasks: readonly MaintenanceTask[];
  leases: Leases;
  /** Called with each failure. */
  onFailure: (task: MaintenanceTask, error: unknown) => void;
  pace?: Pace;
  random?: () => number;
}

/**
 * Runs each task soon after the start and then every hour, on the first server to claim it.
 *
 * @returns a function that stops it, after the current step
 */
export function schedule({ tasks, leases, onFailure, ...options }: ScheduleOptions): () => Promise<void> {
  const { pace = REAL_PACE, random = Math.random } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function look(): Promise<void> {
    for (const task of tasks) {
      if (signal.aborted) return;
      await runTask(task, { leases, pace, signal, when: 'due' }).catch((error: unknown) => onFailure(task, error));
    }
  }

  async function run(): Promise<void> {
    await pace.pause(FIRST_LOOK_MS + random() * JITTER_MS, signal);
    while (!signal.aborted) {
      await look();
      await pace.pause(LOOK_EVERY_MS, signal);
    }
  }

  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Keeps the database, and the server's memory, small while the server runs. A failure is logged. */
export function scheduleMaintenance(app: FastifyInstance, maintained: Maintained): void {
  const { storage, limiter, sharedClock } = maintained;
  let stop = () => Promise.resolve();
  let stopped = Promise.resolve();
  app.addHook('onListen', (done) => {
    stop = schedule({
      tasks: maintenanceTasks(maintained),
      leases: new Leases({ storage, clock: sharedClock }),
      onFailure: (task, error) => {
        // Otherwise each task would run into it every minute.
        const cause = isUnavailable(error) ? { reason: String(error) } : { err: error };
        app.log.error({ ...cause, task: task.name }, 'maintenance failed');
      },
    });
    done();
  });
  // No task starts while the server waits for requests to finish; the current one ends in the meantime.
  app.addHook('preClose', (done) => {
    stopped = stop();
    done();
  });
  app.addHook('onClose', () => stopped);
  if (!limiter.shared) keepForgetting(app, limiter);
}

function keepForgetting(app: FastifyInstance, limiter: Maintained['limiter']): void {
  const stopping = new AbortController();
  const options = { pace: REAL_PACE, signal: stopping.signal };
  const timer = setInterval(() => void takeSteps(limiter.forget(), options), OWN_EVERY_MS);
  timer.unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    stopping.abort();
    done();
  });
}
