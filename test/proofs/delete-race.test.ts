import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../server/accounts/principals.ts';
import { endWorkspace } from '../../server/accounts/workspace-end.ts';
import { deleteRows } from '../../server/storage/delete-rows.ts';
import { WORKSPACE_TABLES } from '../../server/storage/tables.ts';
import { branchline } from '../support/command-line.ts';
import { basic } from '../support/server.ts';
import { Caller } from './support/caller.ts';
import { type Access, type Installation, install } from './support/installation.ts';
import { scale } from './support/scale.ts';

const ROUNDS = scale({ usual: 5, full: 50 });

/** So many messages a workspace has to be forgotten, so that it takes a while. */
const MESSAGES = scale({ usual: 30_000, full: 300_000 });

/** Creates are answered after so many steps of that, at least, of 30 or 300. */
const FEWEST_STEPS = scale({ usual: 3, full: 15 });

let installation: Installation;
beforeAll(async () => {
  installation = await install();
});
afterAll(() => installation.remove());

async function newWorkspace(workspaceId: string): Promise<Access> {
  const { workspaces, accounts, keys } = installation.administration;
  await workspaces.create(workspaceId);
  const { text: apiKey } = await keys.create({ workspaceId, source: 'app', samplingRate: 1 });
  const { account, secret } = await accounts.create({
    workspaceId,
    label: 'ci',
    email: 'ci@example.com',
    scopes: SCOPES,
    ratePerSecond: null,
    rateEnforcement: null,
  });
  return { workspaceId, authorization: basic({ name: account.name, secret }), apiKey };
}

/** How many rows there are of a workspace, in any table. */
async function countRows(workspaceId: string): Promise<number> {
  let sum = 0;
  for (const table of WORKSPACE_TABLES) {
    const { count } = await installation.administration.storage.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    sum += count;
  }
  return sum;
}

/** Writes in all ways at once until it is refused. @returns the statuses of the answers */
async function writeUntilRefused(caller: Caller, started: () => void): Promise<Set<number>> {
  const created = await caller.create(`first-${randomUUID()}`);
  const { branchId } = JSON.parse(created.text);
  started();
  const statuses = new Set<number>();
  const lane = async (write: (turn: number) => ReturnType<Caller['create']>) => {
    for (let turn = 0; ; turn += 1) {
      const { status } = await write(turn);
      statuses.add(status);
      if (status === 401) return;
    }
  };
  const events = (): string[] => Array.from({ length: 20 }, () => randomUUID());
  await Promise.all(
    Array.from({ length: 4 }, () => [
      lane(() => caller.create(`b-${randomUUID()}`)),
      lane(() => caller.ingest({ batchId: randomUUID(), messageIds: events(), eventName: `E ${randomUUID()}` })),
      lane((turn) => caller.changeStatus(branchId, turn % 2 === 0 ? 'ReadyForReview' : 'Draft')),
    ]).flat(),
  );
  return statuses;
}

describe('deleting a workspace', () => {
  it(`leaves no row of it, whatever is written meanwhile, ${ROUNDS} times`, async () => {
    const server = await installation.start();
    for (let round = 0; round < ROUNDS; round += 1) {
      const access = await newWorkspace(`raced-${round}`);
      const caller = new Caller(server.origin, access, 12);
      const started = Promise.withResolvers<void>();
      const writing = writeUntilRefused(caller, started.resolve);
      await started.promise;
      await expect.poll(() => countRows(access.workspaceId)).toBeGreaterThan(50);
      await installation.administration.workspaces.delete(access.workspaceId);
      expect(await countRows(access.workspaceId)).toBe(0);
      expect([...(await writing)].toSorted()).toEqual(expect.arrayContaining([200, 201, 401]));
      expect(await countRows(access.workspaceId)).toBe(0);
      await caller.close();
    }
    await server.stop();
  });

  it(`of ${MESSAGES} messages by the command lets another workspace create branches between its steps`, async () => {
    const { administration, access } = installation;
    const server = await installation.start();
    await newWorkspace('big');
    await fillMessages('big');
    const caller = new Caller(server.origin, access, 4);
    const deleting = branchline(['workspace', 'delete', 'big', '--yes'], installation.env);
    const over = new AbortController();
    const statuses: number[] = [];
    const create = async () => void statuses.push((await caller.create(`c-${randomUUID()}`)).status);
    const lanes = Array.from({ length: 3 }, async () => {
      while (!over.signal.aborted) await create();
    });
    const watching = countStepsBetween('big', create, over.signal);
    expect(await deleting).toMatchObject({ exitCode: 0, stdout: 'Deleted the workspace "big".\n' });
    over.abort();
    await Promise.all(lanes);
    const steps = await watching;
    console.log(`Of ${statuses.length} creates some were answered after each of ${steps} steps of the deletion.`);
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(steps).toBeGreaterThanOrEqual(FEWEST_STEPS);
    expect(await countRows('big')).toBe(0);
    await expect(administration.workspaces.create('big')).rejects.toThrow("can't be used again");
    await caller.close();
    await server.stop();
  });

  it('that was killed is finished by the next server', async () => {
    const { storage } = installation.administration;
    await newWorkspace('halfway');
    await fillMessages('halfway');
    await endWorkspace(storage, 'halfway', Date.now());
    await deleteRows(storage, 'halfway', ['seen_messages_0']).next();
    expect(await countRows('halfway')).toBeGreaterThan(0);
    const server = await installation.start();
    await expect.poll(() => countRows('halfway')).toBe(0);
    await server.stop();
  }, 120_000);
});

async function countMessages(workspaceId: string): Promise<number> {
  const { count } = await installation.administration.storage.db
    .selectFrom('seen_messages_0')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Creates one after the other. @returns after how many steps, when some messages had gone and others were left, one was answered */
async function countStepsBetween(workspaceId: string, create: () => Promise<void>, over: AbortSignal): Promise<number> {
  const steps = new Set<number>();
  let left = MESSAGES;
  while (!over.aborted) {
    const hasBegun = left < MESSAGES;
    await create();
    left = await countMessages(workspaceId);
    if (hasBegun && left > 0) steps.add(left);
  }
  return steps.size;
}

async function fillMessages(workspaceId: string): Promise<void> {
  const { storage } = installation.administration;
  for (let done = 0; done < MESSAGES; done += 1_000) {
    const rows = Array.from({ length: 1_000 }, () => ({
      workspace_id: workspaceId,
      source_number: 1,
      message_id: randomBytes(16),
    }));
    await storage.write((tx) => tx.insertInto('seen_messages_0').values(rows).execute());
  }
}
