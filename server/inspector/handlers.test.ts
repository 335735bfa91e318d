// @module-tag both-engines
import { DEFAULT_BUDGET } from './budget.ts';
import { NotTaken } from '../storage/group-commit.ts';
import type { FastifyRequest } from 'fastify';
import { describe, expect } from 'vitest';
import { SCOPES } from '../accounts/principals.ts';
import type { Storage } from '../storage/storage.ts';
import { inspectorHandlers } from './handlers.ts';
import type { BatchReceipt, Ingest } from './ingest/ingest.ts';
import { settleForReading } from './ingest/pending-counts.ts';
import { LiveBatches } from './live/live-batches.ts';
import { batch, event, KEY, NOW, openIngest } from './testing/batches.ts';
import { test } from './testing/database.ts';

const serviceAccount = {
  workspaceId: 'demo',
  accountId: 'account-1',
  name: 'ci',
  email: 'ci@example.com',
  scopes: SCOPES,
  ratePerSecond: null,
  rateEnforcement: null,
};

/** What a request has besides; the handlers look at none of it. */
const rest = { headers: {}, cookies: {}, raw: {} as FastifyRequest };

function serve(storage: Storage, ingest: Ingest = openIngest({ storage })) {
  const receipts: BatchReceipt[] = [];
  const handlers = inspectorHandlers({
    storage,
    clock: () => NOW,
    budget: DEFAULT_BUDGET,
    ingest,
    credentialUse: { countBatch: () => {} },
    live: new LiveBatches({ clock: () => NOW, mayStill: async () => true, messages: undefined }),
    countReceipt: (receipt) => receipts.push(receipt),
  });
  return {
    receipts,
    send: (events: unknown[]) =>
      handlers.ingestBatch({ ...rest, params: {}, query: {}, body: batch(events), principals: { apiKey: KEY } }),
    report: async (
      name: 'listObservedEvents' | 'listObservedShapes' | 'listTypeConflicts',
      query: { limit?: number; cursor?: string } = {},
    ) => {
      await settleForReading(storage, 'demo');
      return handlers[name]({
        ...rest,
        body: undefined,
        params: { workspaceId: 'demo' },
        query,
        principals: { serviceAccount },
      });
    },
  };
}

test('a batch is answered with its receipt, which the metrics are told of', async ({ storage }) => {
  const { send, receipts } = serve(storage);
  const reply = await send([event()]);
  expect(reply).toEqual({
    status: 200,
    body: { accepted: 1, duplicates: 0, rejected: [], samplingRate: 1, unknownShapeIds: [] },
  });
  expect(receipts).toEqual([reply.body]);
});

test('a batch that can not be stored now is not counted as answered', async ({ storage }) => {
  const ingest = openIngest({ storage, maxWaitingWeight: 30, timer: () => undefined });
  const { send, receipts } = serve(storage, ingest);
  const taken = send([event(), event()]);
  await expect(send([event()])).rejects.toThrow(NotTaken);
  await ingest.close();
  expect(await taken).toMatchObject({ status: 200 });
  expect(receipts).toHaveLength(1);
});

test('any other failure is thrown on', async ({ storage }) => {
  const { send } = serve(storage);
  await storage.db.schema.dropTable('observed_shapes').execute();
  await expect(send([event()])).rejects.toThrow('observed_shapes');
});

describe('reports', () => {
  const conflicting = ['int', 'string'].map((type) => event({ schema: [{ name: 'a', type: type as 'int' }] }));

  test.for([
    [
      'listObservedEvents',
      'events',
      ['eventName', 'source', 'environment', 'appVersion', 'count', 'firstSeen', 'lastSeen', 'shapes'],
    ],
    [
      'listObservedShapes',
      'shapes',
      ['shapeId', 'eventName', 'source', 'environment', 'appVersion', 'count', 'firstSeen', 'lastSeen', 'schema'],
    ],
    ['listTypeConflicts', 'conflicts', ['eventName', 'property', 'types']],
  ] as const)('%s answers a page with the fields of the contract', async ([name, list, fields], { storage }) => {
    const { send, report } = serve(storage);
    await send(conflicting);
    const { status, body } = await report(name);
    expect(status).toBe(200);
    const entries: unknown = new Map<string, unknown>(Object.entries(body)).get(list);
    expect(Array.isArray(entries) && Object.keys(entries[0])).toEqual(fields);
    expect(body).toHaveProperty('nextCursor', null);
  });

  test.for(['listObservedEvents', 'listObservedShapes', 'listTypeConflicts'] as const)(
    '%s answers 400 for a cursor that is none',
    async (name, { storage }) => {
      expect(await serve(storage).report(name, { cursor: 'nonsense' })).toEqual({
        status: 400,
        body: { error: expect.stringContaining('cursor') },
      });
    },
  );
});
