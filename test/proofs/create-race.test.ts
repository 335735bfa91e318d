import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testedEngine } from '../../server/storage/testing/databases.ts';
import type { ServerProcess } from '../support/command-line.ts';
import { Caller } from './support/caller.ts';
import { exported } from './support/exported.ts';
import { type Installation, install } from './support/installation.ts';

const ROUNDS = 200;
const AT_ONCE = 50;

let installation: Installation;
beforeAll(async () => {
  installation = await install();
});
afterAll(() => installation.remove());

describe(`of ${AT_ONCE} creates of one name at once, one succeeds and the others are told that it is taken`, () => {
  it(`${ROUNDS} rounds on one server`, async () => {
    const server = await installation.start();
    await race([server], 'one');
    await server.stop();
  });

  // The embedded database has one server at a time.
  const onTwo = testedEngine() === 'postgres' ? it : () => {};
  onTwo(`${ROUNDS} rounds on two servers with one database`, async () => {
    await race([await installation.start(), await installation.start()], 'two');
  });
});

async function race(servers: readonly ServerProcess[], prefix: string): Promise<void> {
  const callers = servers.map(({ origin }) => new Caller(origin, installation.access, AT_ONCE / servers.length));
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = `${prefix}-${round}`;
    const creates = Array.from({ length: AT_ONCE }, (_, index) => callers[index % callers.length]?.create(name));
    const statuses = (await Promise.all(creates)).map((reply) => reply?.status).toSorted();
    expect(statuses, name).toEqual([201, ...Array.from({ length: AT_ONCE - 1 }, () => 409)]);
  }
  const names = exported((await callers[0]?.export())?.text ?? '').map(({ branchName }) => branchName);
  const mine = names.filter((name) => name.startsWith(`${prefix}-`));
  expect(mine.toSorted()).toEqual(Array.from({ length: ROUNDS }, (_, round) => `${prefix}-${round}`).toSorted());
  for (const caller of callers) await caller.close();
}
