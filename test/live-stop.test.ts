import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { batchOf } from './support/batch.ts';
import { type ServerProcess, startProcess } from './support/command-line.ts';
import { longEvents, watch } from './support/event-stream.ts';
import { printedCredentials } from './support/postgres-server.ts';

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-live-stop-'));
  const args = ['--demo', '--drain-delay', '0', '--drain-timeout', '60', '--ingest-rate-limit', '1000'];
  server = await startProcess(join(folder, 'branchline.db'), args);
});
afterAll(async () => {
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

it('streams do not hold up a stop, whether or not anybody takes them', async () => {
  const { authorization, apiKey } = printedCredentials(server) ?? { authorization: '', apiKey: '' };
  const reading = await watch(server.origin, 'demo', { authorization });
  const stuck = await watch(server.origin, 'demo', { authorization });
  const read = (async () => {
    // What comes faster than it is read is said to be missing.
    for (let seen = 0; seen < 700;) {
      const event = await reading.next();
      if (event === undefined) throw new Error('The stream has ended.');
      seen += event.type === 'missed' ? (event.batches ?? Number.NaN) : 1;
    }
  })();
  // More than the buffers of two sockets hold.
  for (let batches = 0; batches < 700; batches += 20) {
    await Promise.all(
      Array.from({ length: 20 }, () =>
        fetch(`${server.origin}/inspector/batches/v1`, {
          method: 'POST',
          headers: { 'api-key': apiKey, 'content-type': 'application/json' },
          body: JSON.stringify(batchOf(longEvents())),
        }),
      ),
    );
  }
  await read;
  expect(await server.stop('SIGTERM')).toBe(0);
  expect(await reading.next()).toBeUndefined();
  expect(await reading.ended()).toBe('whole');
  stuck.close();
});
