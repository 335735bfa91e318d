import { afterEach, describe, expect, it } from 'vitest';
import { faults } from '../../selftest/faults/index.ts';
import { type Service, listen } from '../../selftest/service/listen.ts';
import { trySuiteWithLeast } from '../../selftest/try-suite.ts';
import { newWorld } from '../../selftest/service/world.ts';

const open: Service[] = [];
afterEach(() => Promise.all(open.splice(0).map((service) => service.close())));

async function serviceWith(fault?: string, world = newWorld()): Promise<Service> {
  const service = await listen({ change: faults.find(({ name }) => name === fault)?.change() ?? {}, world });
  open.push(service);
  return service;
}

async function findStates(service: Service): Promise<Record<string, string>> {
  const { results } = await trySuiteWithLeast(service);
  return Object.fromEntries(
    results.flatMap(({ id, state }) => (id.startsWith('found/') ? [[id.slice(6), state]] : [])),
  );
}

const allPass = {
  'Draft-holds-its-name': 'pass',
  'ReadyForReview-holds-its-name': 'pass',
  'Approved-holds-its-name': 'pass',
  'Closed-frees-its-name': 'pass',
  'Merged-frees-its-name': 'pass',
};

describe('branches that the workspace had before', () => {
  it('show which statuses hold a name, also to the next run', async () => {
    const service = await serviceWith();
    expect(await findStates(service)).toEqual(allPass);
    expect(await findStates(service)).toEqual(allPass);
  });

  it.each([
    ['no-conflict-with-approved', 'Approved-holds-its-name'],
    ['conflict-with-closed', 'Closed-frees-its-name'],
    ['conflict-with-merged', 'Merged-frees-its-name'],
  ])('show the fault %s', async (fault, id) => {
    expect(await findStates(await serviceWith(fault))).toEqual({ ...allPass, [id]: 'fail' });
  });

  it('are not asked for where there are none', async () => {
    const { accounts } = newWorld();
    const empty = { accounts, workspaces: new Map(accounts.map(({ workspaceId }) => [workspaceId, []])) };
    const skipped = Object.fromEntries(Object.keys(allPass).map((id) => [id, 'skip']));
    expect(await findStates(await serviceWith(undefined, empty))).toEqual(skipped);
  });
});
