import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { endWithoutLookUps } from './end-of-process.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-end-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const MODULE = new URL('./end-of-process.ts', import.meta.url).href;

/**
 * The only thread for look-ups is held for ever by a pipe that nobody writes to, as it is by a name server that does not answer.
 *
 * @param end what the process does, after it has said `looking up`
 */
async function runHanging(end: string): Promise<{ code: number | null; printed: string }> {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const holding = `const { open } = require('node:fs');
    open(${JSON.stringify(pipe)}, 'r', () => {});
    require('node:worker_threads').parentPort.postMessage('held');`;
  const script = `
    import { lookup } from 'node:dns';
    import { Worker } from 'node:worker_threads';
    import { endWithoutLookUps, exitNow } from ${JSON.stringify(MODULE)};
    const holder = new Worker(${JSON.stringify(holding)}, { eval: true, execArgv: [] });
    holder.once('message', () => {
      holder.unref();
      lookup('name.example', () => {});
      process.stdout.write('looking up');
      ${end}
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, UV_THREADPOOL_SIZE: '1', NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = await once(child, 'close');
  return { code, printed };
}

it.each([
  ['that is to exit', 'exitNow(3);'],
  ['that has nothing else to do', 'process.exitCode = 3; endWithoutLookUps();'],
])('a process %s ends with its code while a look-up hangs', async (_what, end) => {
  expect(await runHanging(end)).toEqual({ code: 3, printed: 'looking up' });
});

it('a process that has something else to do goes on', async () => {
  const end = "endWithoutLookUps(); setTimeout(() => { process.stdout.write(', done'); exitNow(0); }, 300);";
  expect(await runHanging(end)).toEqual({ code: 0, printed: 'looking up, done' });
});

it('a process that runs several command lines looks once at a time for what is under way', () => {
  const looks = vi.spyOn(globalThis, 'setInterval');
  onTestFinished(() => looks.mockRestore());
  endWithoutLookUps();
  endWithoutLookUps();
  // None where another test of this process has asked before.
  expect(looks.mock.calls.length).toBeLessThanOrEqual(1);
});
