// @module-tag both-engines
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOf, eventReport } from '../support/batch.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** The rows "Budgets" and "Type conflicts" of docs/decisions.md, over HTTP. */

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ budget: { eventNames: 20 } });
});
afterAll(() => server.close());

async function send(events: ReturnType<typeof eventReport>[], version = '1.0.0') {
  const batch = batchOf(events, { app: { id: 'com.example.shop', name: 'Shop', version } });
  const answer = await server.call({
    method: 'POST',
    path: '/inspector/batches/v1',
    as: null,
    headers: { 'api-key': server.apiKey },
    json: batch,
  });
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text);
}

async function report(name: string) {
  const answer = await server.call({ path: `${server.workspacePath}/inspector/${name}/v1` });
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text);
}

describe('Budgets', () => {
  it('past it what is new is refused with a sentence, what is known still counts, and the owner and operator see it', async () => {
    const flood = Array.from({ length: 30 }, (_, index) => eventReport(`Event ${index}`, []));
    const { accepted, rejected } = await send(flood);
    expect(accepted).toBe(16);
    expect(rejected).toHaveLength(14);
    expect(rejected[0].reason).toContain('this API key has its most of 16 event names');
    expect(await send([eventReport('Event 3', [])])).toMatchObject({ accepted: 1, rejected: [] });

    const { workspace, sources, apiKeys } = await report('budget');
    expect(workspace.eventNames).toEqual({ used: 16, most: 20 });
    expect(sources).toMatchObject([{ source: 'android-shop', budget: { eventNames: { used: 16, most: 18 } } }]);
    expect(apiKeys).toMatchObject([{ budget: { eventNames: { used: 16, most: 16 } } }]);
    expect(await server.metrics.registry.metrics()).toContain(
      'branchline_ingest_past_budget_total{measure="eventNames"} 14',
    );
  });
});

describe('Type conflicts', () => {
  it('are compared over all versions, and name the one that brought a type', async () => {
    const paid = (type: 'int' | 'string') => eventReport('Event 1', [{ name: 'price', type }]);
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await send([paid('int')], version);
    await send([paid('string')], '2.0.0');
    const { conflicts } = await report('conflicts');
    expect(conflicts[0].types).toMatchObject([
      { type: 'int', shapes: 1, seenIn: [{ appVersion: '1.0.0' }] },
      { type: 'string', shapes: 1, seenIn: [{ appVersion: '2.0.0' }] },
    ]);
    const inOne = await server.call({ path: `${server.workspacePath}/inspector/conflicts/v1?appVersion=1.1.0` });
    expect(JSON.parse(inOne.text).conflicts).toEqual([]);
  });
});
