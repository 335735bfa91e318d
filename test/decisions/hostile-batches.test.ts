// @module-tag both-engines
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SCOPES } from '../../server/accounts/principals.ts';
import { EventValidator } from '../../server/inspector/ingest/event-validator.ts';
import { presentHolder } from '../../server/storage/holder.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import { type Answer, type Credentials, startTestServer, type TestServer } from '../support/server.ts';

const HEAVY_BATCHES = 3;

/** Two of them are more than a transaction may hold. */
const HEAVY_EVENTS = 14;
const HEAVY_PROPERTIES = 500;

/** Each event has its own. */
const TRANSACTIONS = HEAVY_BATCHES * HEAVY_EVENTS;

const REFUSED_BATCHES = 10;

/** So many take many turns to be judged. */
const REFUSED_EVENTS = 1_000;
const REFUSED_PROPERTIES = 12;

let server: TestServer;
let other: Credentials;

beforeAll(async () => {
  server = await startTestServer();
  await server.administration.workspaces.create('other');
  other = await server.createAccount(SCOPES, 'other');
});
afterAll(() => server.close());

/** What others have been answered so far. */
interface Served {
  creates: number;
  lives: number;
}

type Schema = Parameters<typeof eventReport>[1];

/** A batch of a version of the app that nobody has seen. */
function pack(version: number, events: number, schemaOf: (event: number) => Schema): Promise<Buffer> {
  const reports = Array.from({ length: events }, (_, event) => eventReport(`Attack ${event}`, schemaOf(event)));
  const app = { id: 'com.example.attack', name: 'Attack', version: `1.0.${version}` };
  return promisify(gzip)(JSON.stringify(batchOf(reports, { app })));
}

/** Of properties that no other event has, and in each version of another type, so that all of them conflict. */
function heavyBatch(version: number): Promise<Buffer> {
  const type = version % 2 === 0 ? 'int' : 'null';
  return pack(version, HEAVY_EVENTS, (event) =>
    Array.from({ length: HEAVY_PROPERTIES }, (_, property) => ({
      name: (event * HEAVY_PROPERTIES + property).toString(36),
      type,
    })),
  );
}

/** Of events that are refused for their last properties, which have values. */
function refusedBatch(version: number): Promise<Buffer> {
  const value = { value: 1 };
  return pack(version, REFUSED_EVENTS, (event) =>
    Array.from({ length: REFUSED_PROPERTIES }, (_, property) => ({
      name: `property ${property} of ${event}`,
      type: 'string',
      ...(property === REFUSED_PROPERTIES - 1 && value),
    })),
  );
}

/** Sends batches all at once with one API key; meanwhile another workspace creates and /livez is asked, one after the other. */
async function attack(bodies: readonly Buffer[], served: Served): Promise<Answer[]> {
  const headers = { 'api-key': server.apiKey, 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const over = new AbortController();
  const answers = Promise.all(
    bodies.map((body) => server.call({ method: 'POST', path: '/inspector/batches/v1', as: null, headers, body })),
  ).finally(() => over.abort());
  const create = async () => {
    const branches = { method: 'POST', path: '/workspaces/other/branches/v1', as: other };
    while (!over.signal.aborted) {
      expect((await server.call({ ...branches, json: { name: `b-${randomUUID()}` } })).status).toBe(201);
      served.creates += 1;
    }
  };
  const askIfLive = async () => {
    while (!over.signal.aborted) {
      expect((await server.call({ path: '/livez', as: null })).status).toBe(200);
      served.lives += 1;
    }
  };
  const [answered] = await Promise.all([answers, create(), askIfLive()]);
  return answered;
}

/** Counts the transactions of the hostile workspace, and those of them before which others were answered since the one before. */
function watchTransactions(served: Served) {
  const counts = { all: 0, afterCreates: 0, afterLives: 0 };
  let before: Served | undefined;
  const { storage } = server.administration;
  const write = storage.write.bind(storage);
  const spy = vi.spyOn(storage, 'write').mockImplementation((work) => {
    if (presentHolder() === server.workspaceId) {
      counts.all += 1;
      if (before !== undefined && served.creates > before.creates) counts.afterCreates += 1;
      if (before !== undefined && served.lives > before.lives) counts.afterLives += 1;
      before = { ...served };
    }
    return write(work);
  });
  onTestFinished(() => spy.mockRestore());
  return counts;
}

/** Counts what others are answered while any batch is judged. */
function watchJudging(served: Served): Served {
  const meanwhile = { creates: 0, lives: 0 };
  let judged = 0;
  let before = { ...served };
  const { validate } = EventValidator.prototype;
  const spy = vi.spyOn(EventValidator.prototype, 'validate').mockImplementation(async function (
    this: EventValidator,
    ...given
  ) {
    if (judged === 0) before = { ...served };
    judged += 1;
    const validated = await validate.apply(this, given);
    judged -= 1;
    if (judged === 0) {
      meanwhile.creates += served.creates - before.creates;
      meanwhile.lives += served.lives - before.lives;
    }
    return validated;
  });
  onTestFinished(() => spy.mockRestore());
  return meanwhile;
}

/** Counted, not timed, and many times as much as where others wait for the whole: then it is two or three, or nothing. */
describe('Batches of a hostile workspace', () => {
  const batches = (count: number, pack: (version: number) => Promise<Buffer>) =>
    Promise.all(Array.from({ length: count }, (_, version) => pack(version)));

  it('that are full of new properties are written piece by piece, and others are answered in between', async () => {
    const served = { creates: 0, lives: 0 };
    const transactions = watchTransactions(served);
    const sent = await batches(HEAVY_BATCHES, heavyBatch);
    for (const answer of await attack(sent, served)) {
      expect(answer.json()).toMatchObject({ accepted: HEAVY_EVENTS, rejected: [] });
    }
    expect(transactions.all).toBeGreaterThanOrEqual(TRANSACTIONS);
    expect(transactions.afterCreates).toBeGreaterThanOrEqual(TRANSACTIONS / 4);
    expect(transactions.afterLives).toBeGreaterThanOrEqual(TRANSACTIONS / 4);
  });

  it('that are refused are judged piece by piece, and others are answered in between', async () => {
    const served = { creates: 0, lives: 0 };
    const meanwhile = watchJudging(served);
    const sent = await batches(REFUSED_BATCHES, refusedBatch);
    for (const answer of await attack(sent, served)) expect(answer.json()).toMatchObject({ accepted: 0 });
    expect(meanwhile.creates).toBeGreaterThanOrEqual(REFUSED_BATCHES / 5);
    expect(meanwhile.lives).toBeGreaterThanOrEqual(REFUSED_BATCHES);
  });
});
