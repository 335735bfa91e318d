import PQueue from 'p-queue';

/** Runs one piece of work at a time for each key, in the order in which they were asked for. */
export class KeyedMutex {
  readonly #queues = new Map<string, PQueue>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? new PQueue({ concurrency: 1 });
    this.#queues.set(key, queue);
    return queue.add(work);
  }
}
