// @module-tag both-engines
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { presentHolder } from '../../server/storage/holder.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const HOSTILE = Array.from({ length: 20 }, (_, index) => `hostile-${index}`);

/** Each of them stands in the batch of a hostile workspace several times. */
const NAMES = 60;

let server: TestServer;
let keys: string[];

beforeAll(async () => {
  server = await startTestServer();
  const { workspaces, keys: apiKeys } = server.administration;
  keys = await Promise.all(
    HOSTILE.map(async (workspaceId) => {
      await workspaces.create(workspaceId);
      return (await apiKeys.create({ workspaceId, source: 'app', samplingRate: 1 })).text;
    }),
  );
});
afterAll(() => server.close());

async function send(apiKey: string): Promise<void> {
  const events = Array.from({ length: 300 }, (_, index) => eventReport(`Event ${index % NAMES}`, []));
  const path = '/inspector/batches/v1';
  const answer = await server.call({
    method: 'POST',
    path,
    as: null,
    headers: { 'api-key': apiKey },
    json: batchOf(events),
  });
  expect(answer.status, answer.text).toBe(200);
}

/**
 * How many transactions of others begin while one of `shop` waits to begin, for each of its transactions; and a wait until each of the
 * others has had its turn twice, by which time `shop` has used less than its share.
 */
function watchWaits() {
  const { storage } = server.administration;
  const write = storage.write.bind(storage);
  const waits: number[] = [];
  let begunByOthers = 0;
  let rested = { at: Number.POSITIVE_INFINITY, resolve: () => {} };
  const spy = vi.spyOn(storage, 'write').mockImplementation((work) => {
    const isOwn = presentHolder() === 'shop';
    const before = begunByOthers;
    return write((tx) => {
      if (isOwn) waits.push(begunByOthers - before);
      else begunByOthers += 1;
      if (begunByOthers >= rested.at) rested.resolve();
      return work(tx);
    });
  });
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      rested = { at: begunByOthers + 2 * HOSTILE.length, resolve };
    });
  return { waits, rest, stop: () => spy.mockRestore() };
}

it('a create now and then waits for few transactions of others, however many workspaces send all they can', async () => {
  await Promise.all(keys.map(send));
  const { waits, rest, stop } = watchWaits();
  const over = new AbortController();
  const floods = keys
    .flatMap((key) => [key, key, key])
    .map(async (key) => {
      while (!over.signal.aborted) await send(key);
    });
  for (let count = 0; count < 10; count += 1) {
    await rest();
    const answer = await server.call({
      method: 'POST',
      path: '/workspaces/shop/branches/v1',
      json: { name: `b-${count}` },
    });
    expect(answer.status, answer.text).toBe(201);
  }
  over.abort();
  await Promise.all(floods);
  stop();
  expect(waits.length).toBeGreaterThanOrEqual(10);
  // In turns it would be one of each of the others.
  const [median = HOSTILE.length] = waits.toSorted((a, b) => a - b).slice(Math.floor(waits.length / 2));
  expect(median).toBeLessThanOrEqual(3);
});
