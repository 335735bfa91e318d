// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { NOW } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { findingIssues } from './finding-issues.ts';

/** The workspace `demo` has so much to be done, and `other`, which comes after it, one thing. */
const MANY = 200;

async function putNews({ db }: Storage, workspace_id: string, entries: number): Promise<void> {
  const ids = Array.from({ length: entries }, (_, index) => `${workspace_id} ${1_000 + index}`);
  await db
    .insertInto('issue_news')
    .values(ids.map((entry_id) => ({ workspace_id, entry_id, news: '[]' })))
    .execute();
}

async function putVersions({ db }: Storage, workspace_id: string, versions: number): Promise<void> {
  const places = Array.from({ length: versions }, (_, index) => ({
    workspace_id,
    source: 'shop',
    environment: 'prod' as const,
    app_version: `1.${index}`,
    first_seen: index,
    due_at: index,
  }));
  await db.insertInto('issue_versions').values(places).execute();
}

/** How much of each workspace is left. */
async function countLeft(storage: Storage): Promise<Record<string, number>> {
  const { db } = ofTest(storage);
  const news = await db.selectFrom('issue_news').select('workspace_id').execute();
  const due = await db.selectFrom('issue_versions').select('workspace_id').where('due_at', '<=', NOW).execute();
  const left: Record<string, number> = { demo: 0, other: 0 };
  for (const { workspace_id } of [...news, ...due]) left[workspace_id] = (left[workspace_id] ?? 0) + 1;
  return left;
}

/** What is left after each step. */
async function* work(storage: Storage, mostTurns?: number): AsyncGenerator<Record<string, number>> {
  for await (const _ of findingIssues(storage, () => NOW, mostTurns).steps()) yield await countLeft(storage);
}

describe.for([
  ['what is new', putNews],
  ['app versions that are due', putVersions],
] as const)('%s', ([, put]) => {
  test('is looked at in turns: a workspace does not wait for all of another', async ({ storage }) => {
    const tests = ofTest(storage);
    await put(tests, 'demo', MANY);
    await put(tests, 'other', 1);
    let steps = 0;
    for await (const left of work(storage)) {
      steps += 1;
      if (left['other'] === 0) break;
    }
    expect(steps).toBe(2);
    for await (const _ of work(storage));
    expect(await countLeft(tests)).toEqual({ demo: 0, other: 0 });
  });

  test('is looked at within minutes where it comes while another workspace has very much', async ({ storage }) => {
    const tests = ofTest(storage);
    await put(tests, 'demo', MANY);
    let now = NOW;
    let steps = 0;
    for await (const _ of findingIssues(storage, () => (now += 60_000)).steps()) {
      steps += 1;
      // After the first round, in which all workspaces are asked.
      if (steps === 3) await put(tests, 'other', 1);
      else if (steps > 3 && (await countLeft(storage))['other'] === 0) break;
    }
    expect((await countLeft(storage))['demo']).toBeGreaterThan(0);
  });

  test('is left for the next time where it is very much', async ({ storage }) => {
    const tests = ofTest(storage);
    await put(tests, 'demo', MANY);
    const first = await Array.fromAsync(work(storage, 3));
    expect(first.length).toBeGreaterThanOrEqual(3);
    const { demo = 0 } = first.at(-1) ?? {};
    expect(demo).toBeGreaterThan(0);
    expect(demo).toBeLessThan(MANY);
    for await (const _ of work(storage));
    expect(await countLeft(tests)).toEqual({ demo: 0, other: 0 });
  });
});

test('what can not be read in one workspace leaves the others looked at, and is thrown after them', async ({
  storage,
}) => {
  const tests = ofTest(storage);
  await putNews(tests, 'demo', 1);
  await putNews(tests, 'other', 1);
  await tests.db.updateTable('issue_news').set({ news: '[{' }).where('workspace_id', '=', 'demo').execute();
  await expect(Array.fromAsync(work(storage))).rejects.toThrow("can't be read, in issue_news.news");
  expect(await countLeft(storage)).toEqual({ demo: 1, other: 0 });
});
