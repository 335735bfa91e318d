// @module-tag both-engines
import fc from 'fast-check';
import { expect } from 'vitest';
import { ofTest } from '../storage/testing/statements-of-tests.ts';
import type { Storage } from '../storage/storage.ts';
import { isOpen, STATUSES } from './lifecycle.ts';
import { type BranchList, branchPage, type PageBounds } from './list.ts';
import { parseCollaborators } from './projection.ts';
import type { BranchRow } from './tables.ts';
import { test } from './testing/database.ts';
import { branchRow } from './testing/rows.ts';

/** Each looks like a part of another one, or of the JSON that holds it. */
const EMAILS = [
  'a@x',
  'A@x',
  'ä@x',
  'Ä@x',
  'a@xy',
  '"a@x',
  'b,"a@x',
  ',@x',
  'x@,',
  '[a@x',
  ']@x',
  'a@x"',
  'a\\@x',
  '\\"a@x',
  '%@x',
  '_@x',
  '\\%@x',
  "'@x",
  'k@x',
  '\u212a@x',
];

const aBranch = fc.record({
  branch_id: fc.stringMatching(/^[abAB]{8}$/),
  name: fc.stringMatching(/^[ab-]{1,4}$/),
  status: fc.constantFrom(...STATUSES),
  creator_id: fc.constantFrom('account-1', 'account-2', 'ACCOUNT-1'),
  created_at: fc.nat({ max: 5 }),
  collaborators: fc.uniqueArray(fc.constantFrom(...EMAILS), { maxLength: 4 }).map((emails) => JSON.stringify(emails)),
});

const aList = fc.record(
  {
    statuses: fc.array(fc.constantFrom(...STATUSES), { minLength: 1, maxLength: 5 }),
    creatorId: fc.constantFrom('account-1', 'account-2', 'ACCOUNT-1', 'nobody'),
    collaboratorEmail: fc.constantFrom(...EMAILS),
    text: fc.constantFrom('a', 'b-', 'ab', '-', '%', '_', 'a_', '\\'),
    sort: fc.constantFrom('oldest' as const, 'newest' as const),
  },
  { requiredKeys: [] },
);

test('all pages of a list together are the branches that it means, each once and in its order', async ({ storage }) => {
  let workspaces = 0;
  const property = fc.asyncProperty(
    fc.uniqueArray(aBranch, { maxLength: 40, selector: ({ branch_id }) => branch_id }),
    fc.array(aList, { minLength: 8, maxLength: 8 }),
    fc.integer({ min: 1, max: 7 }),
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 1, max: 60 }),
    async (branches, lists, limit, mostSearched, stepBytes) => {
      const workspaceId = `w-${(workspaces += 1)}`;
      const rows = await insert(storage, workspaceId, branches);
      for (const list of lists) {
        const walked = await walk(storage, { ...list, workspaceId }, { limit, mostSearched, stepBytes });
        expect(walked).toEqual(plainly(rows, list));
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

test('a search looks at so many branches and no more, and goes on where it ended', async ({ storage }) => {
  const names = Array.from({ length: 3_000 }, (_, at) => (at === 2_500 ? 'found' : `name-${at}`));
  await insert(
    storage,
    'searched',
    names.map((name, at) => ({ name, branch_id: `id-${at}`, created_at: at })),
  );
  const list = { workspaceId: 'searched', text: 'found' };
  const first = await branchPage(storage.db, list, { limit: 2, mostSearched: 2_500 });
  expect(first).toEqual({ branches: [], next: [2_499, 'id-2499'] });
  const second = await branchPage(storage.db, list, { limit: 2, mostSearched: 2_500, after: first.next });
  expect(second).toMatchObject({ branches: [{ name: 'found' }], next: undefined });
});

test('a search by collaborator reads no more of them at a time than a step has', async ({ storage }) => {
  const collaborators = JSON.stringify(Array.from({ length: 100 }, (_, n) => `${n}-${'é'.repeat(50)}@example.com`));
  const given = Array.from({ length: 100 }, (_, at) => ({
    name: `large-${at}`,
    branch_id: `large-${at}`,
    collaborators,
  }));
  await insert(storage, 'large', given);
  let statements = 0;
  const db = storage.db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const list = { workspaceId: 'large', collaboratorEmail: 'nobody@example.com' };
  expect(await branchPage(db, list, { limit: 10 })).toEqual({ branches: [], next: undefined });
  const steps = statements - 1;
  const bytes = given.length * Buffer.byteLength(collaborators);
  expect(bytes / steps).toBeLessThan(1_048_576);
});

/** @returns those that were inserted: of open branches with one name only the first */
async function insert(storage: Storage, workspaceId: string, given: readonly Partial<BranchRow>[]) {
  const taken = new Set<string>();
  const rows = given
    .map((one) => branchRow({ ...one, workspace_id: workspaceId }))
    .filter(({ name, status }) => !isOpen(status) || (!taken.has(name) && taken.add(name)));
  const { db } = ofTest(storage);
  for (let start = 0; start < rows.length; start += 500) {
    const some = rows.slice(start, start + 500);
    await db.insertInto('branches').values(some).execute();
  }
  return rows;
}

async function walk(storage: Storage, list: BranchList, bounds: PageBounds): Promise<BranchRow[]> {
  const walked: BranchRow[] = [];
  let { next, ...page } = await branchPage(storage.db, list, bounds);
  for (;;) {
    expect(page.branches.length).toBeLessThanOrEqual(bounds.limit);
    walked.push(...page.branches);
    if (next === undefined) return walked;
    ({ next, ...page } = await branchPage(storage.db, list, { ...bounds, after: next }));
  }
}

/** What the pages are compared with. */
function plainly(rows: readonly BranchRow[], list: Omit<BranchList, 'workspaceId'>): BranchRow[] {
  const meant = rows.filter(
    (row) =>
      (list.statuses === undefined || list.statuses.includes(row.status)) &&
      (list.creatorId === undefined || row.creator_id === list.creatorId) &&
      (list.text === undefined || row.name.includes(list.text)) &&
      (list.collaboratorEmail === undefined ||
        parseCollaborators(row).map(lowerAtoZ).includes(lowerAtoZ(list.collaboratorEmail))),
  );
  const oldest = meant.toSorted((a, b) => a.created_at - b.created_at || (a.branch_id < b.branch_id ? -1 : 1));
  return list.sort === 'newest' ? oldest.toReversed() : oldest;
}

/** Filtering by a collaborator disregards the case of A to Z alone. */
function lowerAtoZ(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
