import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { beforeEach, expect, it, vi } from 'vitest';

/** Of its own, without threads that other tests of the process have left waiting. */
async function importAnew() {
  vi.resetModules();
  const [{ deriveKey }, { isUnavailable }, { ThreadFailure }] = await Promise.all([
    import('./key-derivation.ts'),
    import('../storage/transient-errors.ts'),
    import('../threads.ts'),
  ]);
  return { deriveKey, isUnavailable, ThreadFailure };
}

let modules: Awaited<ReturnType<typeof importAnew>>;
beforeEach(async () => {
  modules = await importAnew();
});

const derive = () =>
  modules.deriveKey({ message: 'any', nonce: Buffer.alloc(16), tagLength: 32, memory: 64, passes: 1, parallelism: 1 });

/** The next thread that is started. */
const nextThread = () => new Promise<Worker>((resolve) => process.once('worker', resolve));

it('fails what a thread is asked that ends, and goes on with another one', async () => {
  const started = nextThread();
  const failing = derive().catch((error: unknown) => error);
  await (await started).terminate();
  const failure = await failing;
  expect(failure).toBeInstanceOf(modules.ThreadFailure);
  expect(String(failure)).toContain("The thread that checks passwords can't be started: its exit code is");
  expect(modules.isUnavailable(failure)).toBe(true);
  expect(await derive()).toHaveLength(32);
});

it('asks no thread that has ended while it waited for work', async () => {
  const started = nextThread();
  const first = derive();
  const thread = await started;
  const exited = once(thread, 'exit');
  await first;
  await thread.terminate();
  await exited;
  expect(await Promise.all([derive(), derive()])).toHaveLength(2);
});
