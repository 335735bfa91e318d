// @module-tag both-engines
import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { Storage } from '../storage/storage.ts';
import { addCollaborator, changeStatus, type Decide, publish } from './decisions.ts';
import type { BranchEvent, BranchEventPayload } from './events.ts';
import type { BranchStatus } from './lifecycle.ts';
import { apply, parseCollaborators } from './projection.ts';
import type { BranchEventRow, BranchRow } from './tables.ts';
import { ACTOR, changeBranch, createBranch, idAt } from './testing/branches.ts';
import { test } from './testing/database.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';

/** One step of a history: one of five branches is created with one of three names, or something is done to it. */
type Step = { branch: number; create: string } | { branch: number; decide: Decide; at: number };

const branch = fc.integer({ min: 1, max: 5 });
const status = fc.constantFrom<BranchStatus>('Draft', 'ReadyForReview', 'Approved', 'Merged', 'Closed');
const email = fc.constantFrom('ada@example.com', 'grace@example.com', '"a, b"@example.com', '🎉@example.com');
const decide = fc.oneof(
  { weight: 4, arbitrary: status.map(changeStatus) },
  email.map((address) => addCollaborator(address)),
  fc.constant(publish),
);
const step: fc.Arbitrary<Step> = fc.oneof(fc.record({ branch, create: fc.constantFrom('one', 'two', 'three') }), {
  weight: 3,
  arbitrary: fc.record({ branch, decide, at: fc.integer({ min: 1, max: 100 }) }),
});

test('the log of any history, replayed, gives exactly the stored rows', async ({ storage }) => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { maxLength: 30 }), async (history) => {
        for (const each of history) await run(storage, each);
        const stored = await ofTest(storage).db.selectFrom('branches').selectAll().orderBy('branch_id').execute();
        expect(await replay(storage)).toEqual(stored);
      })
      .beforeEach(async () => {
        await ofTest(storage).db.deleteFrom('branches').execute();
        await ofTest(storage).db.deleteFrom('branch_events').execute();
      }),
    { numRuns: 60 },
  );
});

test('the first ReadyForReview stays, the newest publication and the merge stand, collaborators keep their order', () => {
  const row = history([
    { at: 1, happening: { type: 'created', name: 'checkout' } },
    { at: 2, happening: { type: 'statusChanged', status: 'ReadyForReview' }, by: 'first@example.com' },
    { at: 3, happening: { type: 'statusChanged', status: 'Draft' } },
    { at: 9, happening: { type: 'published' } },
    { at: 8, happening: { type: 'published' } },
    { at: 10, happening: { type: 'statusChanged', status: 'ReadyForReview' }, by: 'second@example.com' },
    { at: 11, happening: { type: 'collaboratorAdded', email: 'z@example.com' } },
    { at: 12, happening: { type: 'collaboratorAdded', email: 'a@example.com' } },
    { at: 13, happening: { type: 'statusChanged', status: 'Approved' } },
    { at: 14, happening: { type: 'statusChanged', status: 'Merged' }, by: 'merger@example.com' },
  ]);
  expect(row).toEqual({
    workspace_id: 'demo',
    branch_id: idAt(1),
    name: 'checkout',
    status: 'Merged',
    creator_id: ACTOR.actorId,
    creator_email: ACTOR.userEmail,
    created_at: 1,
    collaborators: '["z@example.com","a@example.com"]',
    last_published_at: 9,
    ready_at: 2,
    ready_email: 'first@example.com',
    merged_at: 14,
    merged_email: 'merger@example.com',
    sequence: 10,
  });
  expect(row && parseCollaborators(row)).toEqual(['z@example.com', 'a@example.com']);
});

test('a log without its beginning is a fault', () => {
  expect(() => history([{ at: 1, happening: { type: 'published' } }])).toThrow('does not begin with its creation');
});

function run(storage: Storage, each: Step): Promise<unknown> {
  if ('decide' in each) return changeBranch(storage, idAt(each.branch), each.decide, each.at);
  // An id is used once; a branch that exists already is not created again.
  return createBranch(storage, each.create, each.branch).catch(() => undefined);
}

async function replay(storage: Storage): Promise<BranchRow[]> {
  const rows = new Map<string, BranchRow>();
  const log = ofTest(storage).db.selectFrom('branch_events').selectAll().orderBy('branch_id').orderBy('sequence');
  for (const each of await log.execute()) rows.set(each.branch_id, apply(rows.get(each.branch_id), readEvent(each)));
  return [...rows.values()];
}

function readEvent(row: BranchEventRow): BranchEvent {
  return {
    workspaceId: row.workspace_id,
    branchId: row.branch_id,
    sequence: row.sequence,
    at: row.happened_at,
    actor: { actorId: row.account_id, userEmail: row.user_email },
    happening: { type: row.type, ...JSON.parse(row.data) } as BranchEventPayload,
  };
}

function history(events: { at: number; happening: BranchEventPayload; by?: string }[]): BranchRow | undefined {
  return events.reduce<BranchRow | undefined>(
    (row, { at, happening, by }, index) =>
      apply(row, {
        workspaceId: 'demo',
        branchId: idAt(1),
        sequence: index + 1,
        at,
        actor: { ...ACTOR, userEmail: by ?? ACTOR.userEmail },
        happening,
      }),
    undefined,
  );
}
