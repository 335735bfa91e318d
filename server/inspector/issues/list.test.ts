// @module-tag both-engines
import { expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { NOW } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { PRICE, readIssues, sendEvents } from '../testing/found-issues.ts';
import { readsInTurns } from '../testing/reads-in-turns.ts';
import { type IssueQuery, listIssues } from './list.ts';
import type { IssueRow } from './tables.ts';

const ISSUES = 240;

/** Opens issues of as many properties. */
async function open(storage: Storage, some: Pick<IssueRow, 'kind' | 'path'>): Promise<string[]> {
  const ids = Array.from({ length: ISSUES }, (_, index) => `id-${100 + index}`);
  const issues = ids.map((issue_id, index): IssueRow => ({
    ...some,
    workspace_id: 'demo',
    issue_id,
    event_key: `Event ${index % 7}`,
    event_name: `Event ${index % 7}`,
    path_key: 'path',
    source: 'shop',
    environment: 'prod',
    app_version: '1.0',
    compared_with: null,
    state: 'open',
    first_seen: 1,
    last_seen: 1,
    raised_at: Math.floor(index / 10),
    changed_at: null,
    changed_by: null,
  }));
  for (let start = 0; start < ISSUES; start += 40) {
    await ofTest(storage)
      .db.insertInto('issues')
      .values(issues.slice(start, start + 40))
      .execute();
  }
  return ids;
}

/** The pages of a list, and what was read for each turn. */
async function walk(storage: Storage, query: IssueQuery) {
  const pages: NonNullable<Awaited<ReturnType<typeof listIssues>>>[] = [];
  const turns = await readsInTurns(storage, async () => {
    let cursor: string | undefined;
    do {
      const page = await listIssues(storage, 'demo', { ...query, cursor });
      if (page === undefined) break;
      pages.push(page);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  });
  const found = pages.flatMap(({ entries }) => entries.map(({ issueId }) => issueId));
  return { pages, found, mostCharacters: Math.max(...turns.map(({ characters }) => characters)) };
}

/** The list begins with the issue that was opened last. */
const newestFirst = (ids: readonly string[]): string[] => ids.toReversed();

test('issues of properties with long paths are searched without them, and shown as far as they fill a page', async ({
  storage,
}) => {
  const ids = await open(storage, { kind: 'goneInVersion', path: JSON.stringify(['語'.repeat(10_000)]) });
  const nothing = await walk(storage, { text: 'nowhere' });
  expect(nothing.found).toEqual([]);
  // 240 paths would be 2,400,000.
  expect(nothing.mostCharacters).toBeLessThan(50_000);
  const all = await walk(storage, { limit: 200 });
  expect(all.found).toEqual(newestFirst(ids));
  for (const page of all.pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(300_000);
  expect(all.mostCharacters).toBeLessThan(150_000);
});

test('issues of a property with many types are shown as far as they fill a page', async ({ storage }) => {
  const ids = await open(storage, { kind: 'typeConflict', path: '["price"]' });
  const types = Array.from({ length: 7 * 20 * 10 }, (_, index) => ({
    workspace_id: 'demo',
    event_key: `Event ${index % 7}`,
    path_key: 'path',
    type: `type ${Math.floor(index / 7) % 20}`,
    source: `app ${Math.floor(index / 140)}`,
    environment: 'prod' as const,
    first_version: '1.0',
    shapes: 1,
  }));
  for (let start = 0; start < types.length; start += 200) {
    await ofTest(storage)
      .db.insertInto('observed_types')
      .values(types.slice(start, start + 200))
      .execute();
  }
  const { found, pages } = await walk(storage, { limit: 200 });
  expect(found).toEqual(newestFirst(ids));
  expect(pages[0]?.entries[0]?.types).toHaveLength(20);
  for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(300_000);
});

test('filters and pages', async ({ storage }) => {
  const names = Array.from({ length: 7 }, (_, index) => `Event ${index}`);
  for (const [index, name] of names.entries()) {
    await sendEvents(
      storage,
      [
        [name, PRICE('int')],
        [name, PRICE('string')],
      ],
      { at: NOW + index },
    );
  }
  await sendEvents(storage, ['event-0'], { source: 'ios', at: NOW + 10, environment: 'dev' });
  await readIssues(storage);
  const walk = async (query: IssueQuery): Promise<(string | null)[]> => {
    const found: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await listIssues(storage, 'demo', { ...query, limit: 3, cursor });
      found.push(...(page?.entries ?? []).map(({ eventName }) => eventName));
      cursor = page?.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  };
  expect(await walk({})).toEqual(['event-0', ...names.toReversed()]);
  expect(await walk({ kind: 'typeConflict' })).toEqual(names.toReversed());
  expect(await walk({ source: 'ios' })).toEqual(['event-0']);
  expect(await walk({ environment: 'prod', source: 'shop' })).toEqual(names.toReversed());
  expect(await walk({ text: 'NT 3' })).toEqual(['Event 3']);
  expect(await walk({ eventName: 'Event 4' })).toEqual(['Event 4']);
  expect(await walk({ state: 'resolved' })).toEqual([]);
  const { nextCursor } = (await listIssues(storage, 'demo', { limit: 3 })) ?? {};
  expect(await listIssues(storage, 'demo', { cursor: nextCursor ?? '', state: 'ignored' })).toBeUndefined();
});
