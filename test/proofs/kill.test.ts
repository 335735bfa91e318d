import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Caller } from './support/caller.ts';
import { createBranches, sendBatches, type Sent, type Told } from './support/clients.ts';
import { exported } from './support/exported.ts';
import { type Installation, install } from './support/installation.ts';
import type { Current } from './support/persistent.ts';
import { scale } from './support/scale.ts';

const KILLS = scale({ usual: 50, full: 300 });
const CLIENTS = 4;
const EVENTS_IN_BATCH = 30;
/** How long clients work between a start and the kill. */
const MOST_MILLISECONDS_OF_WORK = 250;

let installation: Installation;
beforeAll(async () => {
  installation = await install();
});
afterAll(() => installation.remove());

it(
  `after each of ${KILLS} kills, all that was answered is there, nothing is counted twice, and the export is whole`,
  { timeout: 600_000 },
  async () => {
    const current: Current = { caller: undefined, over: false };
    const creators: Told[] = Array.from({ length: CLIENTS }, () => ({ branches: new Map(), asked: undefined }));
    const senders: Sent[] = Array.from({ length: CLIENTS }, (_, n) => ({
      eventName: `Event ${n}`,
      answered: 0,
      underWay: 0,
    }));
    const clients = [
      ...creators.map((told, n) => createBranches(current, `client-${n}`, told)),
      ...senders.map((sent) => sendBatches(current, sent, EVENTS_IN_BATCH)),
    ];
    const failed = Promise.all(clients);
    failed.catch(() => {});

    for (let kill = 0; kill < KILLS; kill += 1) {
      const server = await installation.start();
      const caller = new Caller(server.origin, installation.access, 2 * CLIENTS);
      await checkAll(caller, creators, senders);
      current.caller = caller;
      await Promise.race([delay(randomInt(20, MOST_MILLISECONDS_OF_WORK)), failed]);
      await server.stop('SIGKILL');
      current.caller = undefined;
      await caller.close();
    }
    current.over = true;
    const server = await installation.start();
    current.caller = new Caller(server.origin, installation.access, 2 * CLIENTS);
    await failed;
    await checkAll(current.caller, creators, senders);
    console.log(
      `${KILLS} kills: ${creators.reduce((sum, { branches }) => sum + branches.size, 0)} branches and ${senders.reduce((sum, { answered }) => sum + answered, 0)} events answered, all there once.`,
    );
    await current.caller.close();
  },
);

/** No client is served meanwhile, so that what they were told does not change. */
async function checkAll(caller: Caller, creators: readonly Told[], senders: readonly Sent[]): Promise<void> {
  const branches = exported((await caller.export()).text);
  const statuses = new Map(branches.map(({ branchName, branchStatus }) => [branchName, branchStatus]));
  expect(statuses.size, 'no name twice').toBe(branches.length);
  for (const { branches: told, asked } of creators) {
    const missing = [...told].filter(([name, status]) => !isAtLeast(statuses.get(name), status));
    expect(missing).toEqual([]);
    for (const name of told.keys()) statuses.delete(name);
    if (asked !== undefined) statuses.delete(asked);
  }
  expect([...statuses.keys()], 'nothing that nobody asked for').toEqual([]);
  for (const { eventName, answered, underWay } of senders) {
    const { events } = JSON.parse((await caller.observed(eventName)).text);
    const count = events[0]?.count ?? 0;
    expect([answered, answered + underWay], eventName).toContain(count);
  }
}

/** The change to ReadyForReview may have been done although its answer was lost. */
function isAtLeast(found: string | undefined, told: string): boolean {
  return found === told || (told === 'Draft' && found === 'ReadyForReview');
}
