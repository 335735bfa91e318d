import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { isUnavailable } from '../storage/transient-errors.ts';
import { ThreadFailure } from '../threads.ts';
import { deriveKey } from './key-derivation.ts';

const derive = () =>
  deriveKey({ message: 'any', nonce: Buffer.alloc(16), tagLength: 32, memory: 64, passes: 1, parallelism: 1 });

/** The next thread that is started. */
const nextThread = () => new Promise<Worker>((resolve) => process.once('worker', resolve));

it('fails what a thread is asked that ends, and goes on with another one', async () => {
  const started = nextThread();
  const failing = derive().catch((error: unknown) => error);
  await (await started).terminate();
  const failure = await failing;
  expect(failure).toBeInstanceOf(ThreadFailure);
  expect(String(failure)).toContain("The thread that checks passwords can't be started: its exit code is");
  expect(isUnavailable(failure)).toBe(true);
  expect(await derive()).toHaveLength(32);
});

it('asks no thread that has ended while it waited for work', async () => {
  // All that wait are at work, so that one is started.
  const others = [derive()];
  const started = nextThread();
  others.push(derive());
  const thread = await started;
  const exited = once(thread, 'exit');
  await Promise.all(others);
  await thread.terminate();
  await exited;
  expect(await Promise.all([derive(), derive()])).toHaveLength(2);
});
