import type { Argon2Parameters } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { THREAD_OPTIONS } from '../thread-options.ts';
import { startThread } from '../threads.ts';

/** What argon2id makes a key of. */
export type DerivationRequest = Argon2Parameters;

export type DerivationReply = { key: Uint8Array } | { error: string };

/** Those that wait for work, of all servers of this process. */
const idle: PasswordThread[] = [];

/**
 * Derives a key with argon2id, in a thread to which the system gives a processor only after those that answer requests: in
 * Node's own pool of threads a flood of guesses would take it from them.
 *
 * @throws ThreadFailure when no thread can be started, or it has ended; Error when the parameters are none of argon2id
 */
export async function deriveKey(request: DerivationRequest): Promise<Buffer> {
  const thread = idle.pop() ?? new PasswordThread();
  const reply = await thread.ask(request);
  if ('error' in reply) throw new Error(reply.error);
  return Buffer.from(reply.key);
}

class PasswordThread {
  #asked = Promise.withResolvers<DerivationReply>();
  readonly #thread = startThread<DerivationReply>({
    what: 'that checks passwords',
    make: () => new Worker(new URL('./password-thread.ts', import.meta.url), THREAD_OPTIONS),
    answered: (reply) => {
      // It keeps the process running only while an answer is awaited.
      this.#thread.unref();
      idle.push(this);
      this.#asked.resolve(reply);
    },
    ended: (failure) => {
      const place = idle.indexOf(this);
      if (place === -1) this.#asked.reject(failure);
      else idle.splice(place, 1);
    },
  });

  ask(request: DerivationRequest): Promise<DerivationReply> {
    this.#asked = Promise.withResolvers();
    this.#thread.ref();
    this.#thread.postMessage(request);
    return this.#asked.promise;
  }
}
