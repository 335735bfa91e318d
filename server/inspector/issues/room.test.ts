// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { NOW } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { makeRoom, MOST_ISSUES, MOST_OF_SOURCE } from './room.ts';
import type { IssueRow } from './tables.ts';

function issue(id: string, { source = 'shop', state = 'open' as IssueRow['state'], at = NOW } = {}): IssueRow {
  return {
    workspace_id: 'demo',
    issue_id: id,
    kind: 'nameVariant',
    event_key: 'paid',
    path_key: '',
    event_name: 'paid',
    path: '[]',
    source,
    environment: 'prod',
    app_version: '1.0',
    compared_with: 'Paid',
    state,
    first_seen: at,
    last_seen: at,
    raised_at: at,
    changed_at: null,
    changed_by: null,
  };
}

async function fill(storage: Storage, issues: readonly IssueRow[]): Promise<void> {
  const { db } = ofTest(storage);
  for (let start = 0; start < issues.length; start += 1_000) {
    await db
      .insertInto('issues')
      .values(issues.slice(start, start + 1_000))
      .execute();
  }
}

const many = (count: number, options = {}, name = 'old') =>
  Array.from({ length: count }, (_, index) => issue(`${name} ${index}`, options));

async function kept(storage: Storage, ...added: IssueRow[]): Promise<string[]> {
  return (await storage.write((tx) => makeRoom(tx, 'demo', added))).map(({ issue_id }) => issue_id);
}

describe('there is room for new issues', () => {
  test('up to the bound of their source, whatever that of others is', async ({ storage }) => {
    await fill(storage, many(MOST_OF_SOURCE - 1));
    expect(await kept(storage, issue('a'), issue('b'), issue('c', { source: 'ios' }))).toEqual(['a', 'c']);
  });

  test('in place of resolved ones, those found longest ago first', async ({ storage }) => {
    await fill(storage, [
      ...many(MOST_OF_SOURCE - 2),
      issue('found late', { state: 'resolved', at: NOW + 2 }),
      issue('found early', { state: 'resolved', at: NOW + 1 }),
    ]);
    expect(await kept(storage, issue('a'))).toEqual(['a']);
    const ids = await storage.db
      .selectFrom('issues')
      .select('issue_id')
      .where('workspace_id', '=', 'demo')
      .where('state', '=', 'resolved')
      .execute();
    expect(ids).toEqual([{ issue_id: 'found late' }]);
  });

  test('up to the bound of the workspace', async ({ storage }) => {
    for (let source = 0; source < MOST_ISSUES / MOST_OF_SOURCE; source += 1) {
      await fill(storage, many(MOST_OF_SOURCE, { source: `app ${source}` }, `of ${source}`));
    }
    expect(await kept(storage, issue('a', { source: 'another' }))).toEqual([]);
  });
});
