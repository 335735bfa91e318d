import { afterAll, beforeAll, expect, it } from 'vitest';
import { Caller } from './support/caller.ts';
import { exported, type ExportedBranch } from './support/exported.ts';
import { type Installation, install } from './support/installation.ts';
import { idOfOld, insertBranches } from './support/many-branches.ts';
import { scale } from './support/scale.ts';

const EXPORTS = scale({ usual: 40, full: 1_000 });
/** Most of them only stand between those that change, so that an export takes as long as many changes. */
const BRANCHES = 10_000;
/** The branches that one writer goes past, over and over. */
const WALK = Array.from({ length: 25 }, (_, stop) => idOfOld(1 + stop * (BRANCHES / 25)));
/** Each of them shares its name with a branch that is created last of all. */
const TWINS = [2, 3, 4, 5].map(idOfOld);

let installation: Installation;
beforeAll(async () => {
  installation = await install();
  await insertBranches(installation, BRANCHES);
});
afterAll(() => installation.remove());

it(`${EXPORTS} exports while writers run each show one moment`, { timeout: 600_000 }, async () => {
  const server = await installation.start();
  const caller = new Caller(server.origin, installation.access, 12);
  const progress = { over: false, changes: 0 };
  const change = async (branchId: string, status: string) => {
    const { status: answered, text } = await caller.changeStatus(branchId, status);
    expect(answered, text).toBe(200);
    progress.changes += 1;
  };
  const writers = Promise.all([walk(progress, change), ...TWINS.map((id) => alternate(caller, id, progress, change))]);
  writers.catch(() => {});

  const changesWithinExport: number[] = [];
  for (let count = 0; count < EXPORTS; count += 1) {
    const before = progress.changes;
    const { text } = await Promise.race([caller.export(), writers.then(() => ({ text: '' }))]);
    changesWithinExport.push(progress.changes - before);
    expectOneMoment(exported(text));
  }
  progress.over = true;
  await writers;
  const median = changesWithinExport.toSorted((a, b) => a - b)[Math.floor(EXPORTS / 2)];
  console.log(`${EXPORTS} exports, each during ${median} changes (median).`);
  expect(median).toBeGreaterThan(3);
  await caller.close();
});

interface Progress {
  over: boolean;
  changes: number;
}

type ChangeStatus = (branchId: string, status: string) => Promise<void>;

/** From the first branch to the last each becomes ReadyForReview; from the first to the last each becomes Draft again. */
async function walk(progress: Progress, change: ChangeStatus): Promise<void> {
  while (!progress.over) {
    for (const status of ['ReadyForReview', 'Draft']) for (const branchId of WALK) await change(branchId, status);
  }
}

/** Of two branches with one name, the open one is closed, then the closed one opened. */
async function alternate(caller: Caller, first: string, progress: Progress, change: ChangeStatus): Promise<void> {
  await change(first, 'Closed');
  const created = await caller.create(first);
  expect(created.status, created.text).toBe(201);
  const { branchId: second } = JSON.parse(created.text);
  while (!progress.over) {
    for (const [open, closed] of [
      [second, first],
      [first, second],
    ]) {
      await change(open, 'Closed');
      await change(closed, 'Draft');
    }
  }
}

function expectOneMoment(branches: readonly ExportedBranch[]): void {
  const statuses = new Map(branches.map(({ branchId, branchStatus }) => [branchId, branchStatus]));
  const walked = WALK.map((id) => statuses.get(id));
  const borders = walked.filter((status, stop) => stop > 0 && status !== walked[stop - 1]).length;
  expect(borders, `at every moment the walk has one border at most: ${walked.join(' ')}`).toBeLessThanOrEqual(1);
  for (const name of TWINS) {
    const open = branches.filter(({ branchName, branchStatus }) => branchName === name && branchStatus !== 'Closed');
    expect(open.length, `at every moment ${name} is the name of one open branch at most`).toBeLessThanOrEqual(1);
  }
}
