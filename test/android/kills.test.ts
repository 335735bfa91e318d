// @module-tag sqlite-alone
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { killOften } from '../../bench/android/kills.ts';
import { compileTracker } from '../../bench/android/tracker.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { kotlinLibrary, notPackaged, released } from './support/built.ts';
import { describeUnless } from '../support/describe-unless.ts';

/** The benchmark `android-faults` has a thousand, and gives the library 100 ms for storing an event, which a busy machine may need. */
const KILLS = 20;

let server: TestServer;
let folder: string;

describeUnless(notPackaged, 'an app that is killed', () => {
  beforeEach(async () => {
    server = await startTestServer({ ingestRateLimit: 100_000 });
    folder = await mkdtemp(join(tmpdir(), 'branchline-kills-'));
  });

  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  it('loses no event that it has stored, and has none counted twice', { timeout: 180_000 }, async () => {
    const jars = await compileTracker([released('prod', '.jar'), kotlinLibrary()], folder);
    const { origin, apiKey } = server;
    const { old, young } = await killOften(jars, { kills: KILLS, origin, apiKey, folder, countOf });
    expect(old).toEqual({ tracked: old.tracked, lost: 0, countedTwice: 0 });
    expect(young.countedTwice).toBe(0);
    expect(old.tracked).toBeGreaterThanOrEqual(KILLS);
  });
});

async function countOf(eventName: string): Promise<number> {
  const path = `/workspaces/${server.workspaceId}/inspector/shapes/v1?eventName=${eventName}`;
  const page = (await server.call({ path })).json() as { shapes: { count: number }[] };
  return page.shapes.reduce((sum, { count }) => sum + count, 0);
}
