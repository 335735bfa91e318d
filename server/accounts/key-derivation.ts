import type { Argon2Parameters } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { THREAD_OPTIONS } from '../thread-options.ts';

/** What argon2id makes a key of. */
export type DerivationRequest = Argon2Parameters;

export type DerivationReply = { key: Uint8Array } | { error: string };

/** Those that wait for work, of all servers of this process. */
const idle: Worker[] = [];

/**
 * Derives a key with argon2id, in a thread to which the system gives a processor only after those that answer requests: in
 * Node's own pool of threads a flood of guesses would take it from them.
 *
 * @throws Error when the parameters are none of argon2id
 */
export async function deriveKey(request: DerivationRequest): Promise<Buffer> {
  const thread = idle.pop() ?? new Worker(new URL('./password-thread.ts', import.meta.url), THREAD_OPTIONS);
  // It keeps the process running only while an answer is awaited.
  thread.ref();
  thread.postMessage(request);
  const [reply] = (await once(thread, 'message')) as [DerivationReply];
  thread.unref();
  idle.push(thread);
  if ('error' in reply) throw new Error(reply.error);
  return Buffer.from(reply.key);
}
