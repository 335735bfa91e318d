// @module-tag both-engines
import { describe, expect } from 'vitest';
import { NotTaken } from '../storage/group-commit.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import type { KyselyPlugin, Transaction } from 'kysely';
import { addCollaborator, changeStatus, MAX_COLLABORATORS, publish } from './decisions.ts';

import type { BranchStatus } from './lifecycle.ts';
import type { Place } from './list.ts';
import { branchStore } from './store.ts';
import { ACTOR, changeBranch, createBranch, findBranch, happen, idAt } from './testing/branches.ts';
import { test } from './testing/database.ts';
import { testedEngine } from '../storage/testing/databases.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';

const times = (length: number) => Array.from({ length }, (_, index) => index);

const become = (storage: Storage, branchId: string, status: BranchStatus, at?: number) =>
  happen(storage, branchId, { type: 'statusChanged', status }, at);

describe('creating', () => {
  test('writes the branch and its first event', async ({ storage }) => {
    const branch = await createBranch(storage, 'checkout', 7);
    expect(branch).toMatchObject({
      name: 'checkout',
      status: 'Draft',
      creator_id: 'account-1',
      created_at: 7,
      sequence: 1,
    });
    expect(await findBranch(storage, idAt(7))).toEqual(branch);
    expect(await ofTest(storage).db.selectFrom('branch_events').selectAll().execute()).toEqual([
      {
        workspace_id: 'demo',
        branch_id: idAt(7),
        sequence: 1,
        type: 'created',
        happened_at: 7,
        account_id: 'account-1',
        user_email: 'ci@example.com',
        data: '{"name":"checkout"}',
      },
    ]);
  });

  test('of one name 50 times at once makes one branch and one event', async ({ storage }) => {
    const created = await Promise.all(times(50).map((at) => createBranch(storage, 'checkout', at)));
    expect(created.filter((branch) => branch !== undefined)).toHaveLength(1);
    expect(await ofTest(storage).db.selectFrom('branches').select('name').execute()).toEqual([{ name: 'checkout' }]);
    expect(await ofTest(storage).db.selectFrom('branch_events').select('type').execute()).toEqual([
      { type: 'created' },
    ]);
  });

  test('of the same 25 names at once in two processes makes each once', async ({ storage, race }) => {
    const jobs = times(50).map((at) => ({ create: `name-${at % 25}`, at }));
    const created = await race(jobs.slice(0, 25), jobs.slice(25));
    expect(created).toHaveLength(50);
    expect(created.filter((branch) => branch !== undefined)).toHaveLength(25);
    expect(await ofTest(storage).db.selectFrom('branches').select('name').execute()).toHaveLength(25);
    expect(await ofTest(storage).db.selectFrom('branch_events').select('type').execute()).toHaveLength(25);
  });

  test.for<[BranchStatus, 'taken' | 'free']>([
    ['Draft', 'taken'],
    ['ReadyForReview', 'taken'],
    ['Approved', 'taken'],
    ['Merged', 'free'],
    ['Closed', 'free'],
  ])('finds the name of a branch that is %s %s', async ([status, expected], { storage }) => {
    await createBranch(storage, 'checkout', 1);
    await become(storage, idAt(1), status);
    const again = await createBranch(storage, 'checkout', 2);
    expect(again === undefined ? 'taken' : 'free').toBe(expected);
  });

  test('takes a name that is open in another workspace', async ({ storage }) => {
    await createBranch(storage, 'checkout');
    const other = { workspaceId: 'other', branchId: idAt(1), name: 'checkout', actor: ACTOR, at: 1 };
    expect(await branchStore(storage).create(other)).toMatchObject({ workspace_id: 'other' });
  });

  test('leaves no branch behind when its event can not be written', async ({ storage }) => {
    await storage.db.schema.dropTable('branch_events').execute();
    await expect(createBranch(storage, 'checkout')).rejects.toThrow('branch_events');
    expect(await ofTest(storage).db.selectFrom('branches').selectAll().execute()).toEqual([]);
  });
});

describe('changing', () => {
  test('says when the workspace has no such branch', async ({ storage }) => {
    await createBranch(storage, 'checkout');
    expect(await changeBranch(storage, idAt(2), publish)).toBe('notFound');
    const elsewhere = { workspaceId: 'other', branchId: idAt(1), actor: ACTOR, clock: () => 2, decide: publish };
    expect(await branchStore(storage).change(elsewhere)).toBe('notFound');
  });

  test('writes nothing for what is refused and for what is so already', async ({ storage }) => {
    const branch = await createBranch(storage, 'checkout');
    expect(await changeBranch(storage, idAt(1), changeStatus('Merged'))).toEqual({
      refused: "A Draft branch can't become Merged. From Draft it can become ReadyForReview or Closed.",
    });
    expect(await changeBranch(storage, idAt(1), changeStatus('Draft'))).toEqual({ branch });
    expect(await findBranch(storage, idAt(1))).toEqual(branch);
    expect(await ofTest(storage).db.selectFrom('branch_events').select('type').execute()).toEqual([
      { type: 'created' },
    ]);
  });

  test('to the same status at once in two processes happens once', async ({ storage, race }) => {
    await createBranch(storage, 'checkout');
    const jobs = times(10).map(() => ({ become: 'ReadyForReview' as const, branchId: idAt(1) }));
    const changed = await race(jobs, jobs);
    expect(
      changed.map((outcome) => typeof outcome === 'object' && 'branch' in outcome && outcome.branch.status),
    ).toEqual(times(20).map(() => 'ReadyForReview'));
    const events = await ofTest(storage).db.selectFrom('branch_events').select('type').execute();
    expect(events).toEqual([{ type: 'created' }, { type: 'statusChanged' }]);
  });

  test('loses no collaborator where the engine lets transactions interleave', async ({ storage }) => {
    await createBranch(storage, 'checkout');
    const emails = times(20).map((index) => `user-${index}@example.com`);
    await Promise.all(emails.map((email) => changeBranch(interleaving(storage), idAt(1), addCollaborator(email))));
    const branch = await findBranch(storage, idAt(1));
    expect(new Set(JSON.parse(branch?.collaborators ?? ''))).toEqual(new Set(emails));
    const events = await ofTest(storage)
      .db.selectFrom('branch_events')
      .select('sequence')
      .orderBy('sequence')
      .execute();
    expect(events.map(({ sequence }) => sequence)).toEqual(times(21).map((index) => index + 1));
  });

  test('is dated in its order, however long each waits for the others', async ({ storage }) => {
    await createBranch(storage, 'checkout');
    const { change } = branchStore(interleaving(storage));
    let time = 1;
    const clock = () => (time += 1);
    await Promise.all(
      times(20).map(() => change({ workspaceId: 'demo', branchId: idAt(1), actor: ACTOR, clock, decide: publish })),
    );
    const events = await ofTest(storage)
      .db.selectFrom('branch_events')
      .select('happened_at')
      .orderBy('sequence')
      .execute();
    const dates = events.map(({ happened_at }) => happened_at);
    expect(dates).toHaveLength(21);
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
  });

  test('gives up when others are faster every time, so that it can be tried again', async ({ storage }) => {
    await createBranch(storage, 'checkout');
    const faster: Storage = {
      ...storage,
      write: (work) => storage.write((tx) => work(tx.withPlugin(TOO_LATE))),
    };
    await expect(changeBranch(faster, idAt(1), publish)).rejects.toThrow(NotTaken);
  });
});

describe('reopening', () => {
  test('is refused while another branch has the name, and changes nothing', async ({ storage }) => {
    await createBranch(storage, 'checkout', 1);
    await become(storage, idAt(1), 'Closed');
    const closed = await findBranch(storage, idAt(1));
    await createBranch(storage, 'checkout', 2);
    expect(await changeBranch(storage, idAt(1), changeStatus('Draft'))).toBe('nameTaken');
    expect(await findBranch(storage, idAt(1))).toEqual(closed);
    expect(
      await ofTest(storage).db.selectFrom('branch_events').select('type').where('sequence', '>', 2).execute(),
    ).toEqual([]);
  });

  test('takes the name again when it is free', async ({ storage }) => {
    await createBranch(storage, 'checkout', 1);
    await become(storage, idAt(1), 'Closed');
    expect(await changeBranch(storage, idAt(1), changeStatus('Draft'))).toMatchObject({
      branch: { status: 'Draft', sequence: 3, created_at: 1 },
    });
    expect(await createBranch(storage, 'checkout', 2)).toBeUndefined();
  });

  test('of many branches of one name at once in two processes succeeds for one', async ({ storage, race }) => {
    for (const at of times(20)) {
      await createBranch(storage, 'checkout', at);
      await become(storage, idAt(at), 'Closed');
    }
    const jobs = times(20).map((at) => ({ become: 'Draft' as const, branchId: idAt(at) }));
    const outcomes = await race(jobs.slice(0, 10), jobs.slice(10));
    expect(outcomes.filter((outcome) => outcome !== 'nameTaken')).toHaveLength(1);
    expect(await ofTest(storage).db.selectFrom('branches').select('name').execute()).toHaveLength(20);
    const open = await ofTest(storage)
      .db.selectFrom('branches')
      .select('status')
      .where('status', '=', 'Draft')
      .execute();
    expect(open).toHaveLength(1);
  });
});

describe('collaborators', () => {
  test('are at most 100; adding one of them again still changes nothing', async ({ storage }) => {
    await createBranch(storage, 'checkout');
    const full = JSON.stringify(times(MAX_COLLABORATORS).map((index) => `user-${index}@example.com`));
    await ofTest(storage).db.updateTable('branches').set({ collaborators: full }).execute();
    expect(await changeBranch(storage, idAt(1), addCollaborator('one-more@example.com'))).toEqual({
      refused: 'This branch already has 100 collaborators, the most it can have.',
    });
    expect(await changeBranch(storage, idAt(1), addCollaborator('user-99@example.com'))).toMatchObject({
      branch: { sequence: 1 },
    });
  });

  test('that were added are found by the filter, however they were written', async ({ storage }) => {
    await createBranch(storage, 'checkout');
    const emails = [
      'büro@x.com',
      'BÜRO@x.com',
      'bu\u0308ro@X.com',
      'ıx@x.com',
      'ix@x.com',
      'IX@X.COM',
      'K@x.com',
      'k@x.com',
    ];
    for (const email of emails) {
      await changeBranch(storage, idAt(1), addCollaborator(email));
      const list = { workspaceId: 'demo', collaboratorEmail: email };
      const { branches } = await branchStore(storage).page(list, { limit: 1 });
      expect(branches, email).toHaveLength(1);
    }
  });
});

describe('pages', () => {
  test('go through all branches, oldest first, then by id, while others are created', async ({ storage }) => {
    const store = branchStore(storage);
    for (const [at, id] of [
      [5, 'c'],
      [5, 'a'],
      [5, 'b'],
      [4, 'z'],
      [6, 'a2'],
    ] as const) {
      await store.create({ workspaceId: 'demo', branchId: id, name: `name-${id}`, actor: ACTOR, at });
    }
    await store.create({ workspaceId: 'other', branchId: 'x', name: 'x', actor: ACTOR, at: 5 });
    const seen: string[] = [];
    let after: Place | undefined;
    for (const round of times(6)) {
      const {
        branches: [branch],
      } = await store.page({ workspaceId: 'demo' }, { after, limit: 1 });
      if (branch === undefined) break;
      seen.push(branch.branch_id);
      after = [branch.created_at, branch.branch_id];
      await store.create({ workspaceId: 'demo', branchId: `0-${round}`, name: `older-${round}`, actor: ACTOR, at: 1 });
    }
    expect(seen).toEqual(['z', 'a', 'b', 'c', 'a2']);
  });

  test('hold only the statuses that are asked for', async ({ storage }) => {
    await createBranch(storage, 'one', 1);
    await createBranch(storage, 'two', 2);
    await createBranch(storage, 'three', 3);
    await become(storage, idAt(2), 'Closed');
    await become(storage, idAt(3), 'Approved');
    const names = async (statuses?: BranchStatus[]) =>
      (await branchStore(storage).page({ workspaceId: 'demo', statuses }, { limit: 10 })).branches.map(
        ({ name }) => name,
      );
    expect(await names()).toEqual(['one', 'two', 'three']);
    expect(await names(['Closed', 'Approved'])).toEqual(['two', 'three']);
    expect(await names(['Merged'])).toEqual([]);
  });
});

test('taken names are those of open branches of the workspace', async ({ storage }) => {
  const store = branchStore(storage);
  await createBranch(storage, 'open', 1);
  await createBranch(storage, 'closed', 2);
  await become(storage, idAt(2), 'Closed');
  await store.create({ workspaceId: 'other', branchId: idAt(3), name: 'elsewhere', actor: ACTOR, at: 3 });
  expect(await store.namesTaken('demo', ['open', 'closed', 'elsewhere', 'unknown'])).toEqual(new Set(['open']));
});

/** Each statement by itself, as far as others can see, so that a transaction that reads and writes is not one step any more. */
function interleaving(storage: Storage): Storage {
  // There it is as that engine has it.
  if (testedEngine() === 'postgres') return storage;
  return { ...storage, write: (work) => work(storage.db as Transaction<Tables>) };
}

/** A fault: whatever row is to be changed, another has just changed it. */
const TOO_LATE: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({ ...result, numAffectedRows: 0n }),
};
