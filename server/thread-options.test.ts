import { once } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { THREAD_OPTIONS } from './thread-options.ts';

it('has a thread keep what it loads compiled', async () => {
  const tell =
    'import { parentPort } from "node:worker_threads"; import { getCompileCacheDir } from "node:module";' +
    'parentPort.postMessage(getCompileCacheDir() ?? "none");';
  const ask = async (options: WorkerOptions): Promise<unknown> => {
    const thread = new Worker(new URL(`data:text/javascript,${tell}`), { env: {}, ...options });
    const [folder] = await once(thread, 'message');
    return folder;
  };
  expect(await ask({})).toBe('none');
  expect(await ask(THREAD_OPTIONS)).not.toBe('none');
});
