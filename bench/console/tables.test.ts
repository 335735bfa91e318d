import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'undici';
import { batchOf, eventReport } from '../../test/support/batch.ts';
import { startBranchline } from '../subjects/branchline.ts';
import { type BenchDatabase, makeDatabase } from '../subjects/database.ts';
import { WORKSPACE } from '../subjects/place.ts';
import type { RunningSubject } from '../subjects/subject.ts';
import { fillSqlite } from './fill-tables.ts';
import { eventNameAt, type Scale, schemaAt } from './scale.ts';
import { COUNT_OF_SHAPE, filledTables } from './tables.ts';

const SCALE: Scale = { branches: 120, events: 8, shapesOfEvent: 12 };

let database: BenchDatabase;
let server: RunningSubject;
let client: Client;

beforeAll(async () => {
  database = await makeDatabase();
  fillSqlite(database.file, filledTables(SCALE, Date.now()));
  server = await startBranchline(database, database);
  client = new Client(server.origin);
});
afterAll(async () => {
  await client.close();
  await server.stop();
  database.remove();
});

async function get(path: string): Promise<unknown> {
  const { statusCode, body } = await client.request({
    method: 'GET',
    path: `/workspaces/${WORKSPACE}/${path}`,
    headers: database.accountHeaders,
  });
  expect(statusCode, path).toBe(200);
  return body.json();
}

describe('a workspace that was filled at once', () => {
  it('has as many branches, each with its activity', async () => {
    const { counts } = (await get('branches/counts/v1')) as { counts: Record<string, number> };
    expect(counts).toMatchObject({ Merged: SCALE.branches / 2, Approved: SCALE.branches / 2 });
    const { branches } = (await get('branches/v1?limit=1')) as { branches: { branchId: string; branchName: string }[] };
    const [{ branchId = '', branchName = '' } = {}] = branches;
    expect(await get(`branches/${branchId}/activity/v1`)).toMatchObject({
      activity: [{ happened: 'created', branchName }],
    });
  });

  it('has as many events and shapes, with their properties, volume and conflicts', async () => {
    const { events } = (await get('inspector/event-summaries/v1')) as { events: unknown[] };
    const count = SCALE.shapesOfEvent * COUNT_OF_SHAPE;
    const summary = { shapes: SCALE.shapesOfEvent, count, appVersions: { total: 10 } };
    expect(events).toHaveLength(SCALE.events);
    expect(events[3]).toMatchObject({ eventName: eventNameAt(3), ...summary });
    const query = `eventName=${encodeURIComponent(eventNameAt(3))}`;
    const { properties } = (await get(`inspector/properties/v1?${query}`)) as { properties: { presence: number }[] };
    expect(properties.map(({ presence }) => presence)).toEqual(properties.map(() => 1));
    expect(properties).toHaveLength(11);
    expect(((await get(`inspector/conflicts/v1?${query}`)) as { conflicts: unknown[] }).conflicts).toHaveLength(4);
    expect(((await get(`inspector/volume/v1?${query}`)) as { total: number[] }).total.at(-1)).toBe(1);
  });

  it('is known to ingest, so that an event of it is nothing new', async () => {
    const before = await get('inspector/budget/v1');
    const { body } = await client.request({
      method: 'POST',
      path: '/inspector/batches/v1',
      headers: database.keyHeaders,
      body: JSON.stringify(
        batchOf([eventReport(eventNameAt(3), schemaAt(2))], { app: { id: 'a', name: 'a', version: '1.2.0' } }),
      ),
    });
    expect(await body.json()).toMatchObject({ accepted: 1 });
    const after = (await get('inspector/budget/v1')) as { workspace: unknown };
    expect(after.workspace).toEqual((before as { workspace: unknown }).workspace);
  });
});
