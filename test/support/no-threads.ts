import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';

/**
 * A fake fault, for a process that imports this first: while the file is there that NO_THREADS_WHILE names, the system starts no
 * thread, as where the user may have no more of them.
 */
const { Worker } = threads;

class NoThread extends Worker {
  constructor(script: string | URL, options?: WorkerOptions) {
    if (existsSync(process.env['NO_THREADS_WHILE'] ?? '')) {
      throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
    }
    super(script, options);
  }
}

Object.assign(threads, { Worker: NoThread });
syncBuiltinESMExports();
