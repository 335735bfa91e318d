import { Worker } from 'node:worker_threads';
import { THREAD_OPTIONS } from '../../thread-options.ts';
import { startThread } from '../../threads.ts';

/**
 * Whether SQLite finds all of a database file in order, by `pragma integrity_check`, in a thread of its own. The process does not
 * run on for it.
 *
 * @throws ThreadFailure when that can't be started, or ends without an answer
 */
export async function checkIntegrity(file: string): Promise<boolean> {
  return new Promise((answered, ended) => {
    const worker = startThread<boolean>({
      what: 'that reads the whole database file',
      make: () =>
        new Worker(new URL('./integrity-thread.ts', import.meta.url), { ...THREAD_OPTIONS, workerData: file }),
      answered,
      ended,
    });
    worker.unref();
  });
}
