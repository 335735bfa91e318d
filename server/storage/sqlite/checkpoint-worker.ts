import { Worker } from 'node:worker_threads';
import { THREAD_OPTIONS } from '../../thread-options.ts';
import { startThread, waitForEnd } from '../../threads.ts';
import type { CheckpointReply, CheckpointRequest } from './checkpoint-requests.ts';

/** The thread that writes the log back, which starts with the first request. It is asked one thing at a time. */
export class CheckpointThread {
  readonly #file: string;
  #worker: Worker | undefined;
  #asked: PromiseWithResolvers<CheckpointReply> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws ThreadFailure when it can't be started, or has ended */
  async ask(request: Exclude<CheckpointRequest, 'close'>): Promise<CheckpointReply> {
    this.#worker ??= this.#start();
    this.#asked = Promise.withResolvers();
    // It keeps the process running only while an answer is awaited.
    this.#worker.ref();
    this.#worker.postMessage(request);
    return this.#asked.promise;
  }

  async close(): Promise<void> {
    if (this.#worker === undefined) return;
    this.#worker.postMessage('close' satisfies CheckpointRequest);
    await waitForEnd(this.#worker);
  }

  #start(): Worker {
    return startThread<CheckpointReply>({
      what: 'that writes the log back',
      make: () =>
        new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { ...THREAD_OPTIONS, workerData: this.#file }),
      answered: (reply) => {
        this.#worker?.unref();
        this.#asked?.resolve(reply);
      },
      ended: (failure) => {
        this.#worker = undefined;
        this.#asked?.reject(failure);
      },
    });
  }
}
