import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Caller, type Reply } from './support/caller.ts';
import { exported } from './support/exported.ts';
import { type Installation, install } from './support/installation.ts';
import { insertBranches } from './support/many-branches.ts';
import { scale } from './support/scale.ts';

const STOPS = scale({ usual: 4, full: 25 });
const CLIENTS = 16;
/** Long enough for an export to take longer than the server's steps towards its end. */
const BRANCHES = 3_000;
const DRAIN_DELAY_SECONDS = 1;
const DRAIN_TIMEOUT_SECONDS = 10;
const DRAIN = ['--drain-delay', String(DRAIN_DELAY_SECONDS), '--drain-timeout', String(DRAIN_TIMEOUT_SECONDS)];

let installation: Installation;
beforeAll(async () => {
  installation = await install();
  await insertBranches(installation, BRANCHES);
});
afterAll(() => installation.remove());

it(
  `${STOPS} times SIGTERM under load: no request is lost, and the server ends with 0 in time`,
  { timeout: 600_000 },
  async () => {
    const created: string[] = [];
    for (let stop = 0; stop < STOPS; stop += 1) {
      const server = await installation.start(DRAIN);
      const clients = Promise.all(
        Array.from({ length: CLIENTS }, (_, n) => callUntilRefused(server.origin, `${stop}-${n}`, created)),
      );
      clients.catch(() => {});
      await delay(300);
      const start = performance.now();
      expect(await server.stop('SIGTERM')).toBe(0);
      expect(performance.now() - start).toBeLessThan((DRAIN_DELAY_SECONDS + DRAIN_TIMEOUT_SECONDS) * 1_000);
      await clients;
    }
    const server = await installation.start();
    const caller = new Caller(server.origin, installation.access, 1);
    const names = new Set(exported((await caller.export()).text).map(({ branchName }) => branchName));
    expect(created.filter((name) => !names.has(name))).toEqual([]);
    console.log(`${STOPS} stops, ${created.length} creates answered with 201.`);
    await caller.close();
  },
);

/** Calls without a pause until no connection is to be had any more; every call that had one is answered, and whole. */
async function callUntilRefused(origin: string, prefix: string, created: string[]): Promise<void> {
  const caller = new Caller(origin, installation.access, 1);
  for (let number = 0; ; number += 1) {
    const name = `${prefix}-${number}`;
    const reply = await unlessRefused(number % 8 === 7 ? caller.export() : caller.create(name));
    if (reply === 'refused') break;
    if (number % 8 === 7) expect(reply.text.split('\r\n').length).toBeGreaterThan(BRANCHES);
    else {
      expect(reply.status, reply.text).toBe(201);
      created.push(name);
    }
  }
  await caller.close();
}

async function unlessRefused(call: Promise<Reply>): Promise<Reply | 'refused'> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') return 'refused';
    throw error;
  }
}
