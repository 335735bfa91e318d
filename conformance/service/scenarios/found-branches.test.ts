import { afterEach, describe, expect, it } from 'vitest';
import { variants } from '../../selftest/variants/index.ts';
import { type Service, listen } from '../../selftest/service/listen.ts';
import { trySuiteWithLeast } from '../../selftest/try-suite.ts';
import { newWorld } from '../../selftest/service/world.ts';

const open: Service[] = [];
afterEach(() => Promise.all(open.splice(0).map((service) => service.close())));

async function serviceWith(variant = 'correct', world = newWorld()): Promise<Service> {
  const service = await listen({ change: variants.find(({ name }) => name === variant)?.change() ?? {}, world });
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
    ['approved-names-free', 'Approved-holds-its-name'],
    ['closed-names-held', 'Closed-frees-its-name'],
    ['merged-names-held', 'Merged-frees-its-name'],
  ])('show the choice %s', async (variant, id) => {
    expect(await findStates(await serviceWith(variant))).toEqual({ ...allPass, [id]: 'fail' });
  });

  it('are not asked for where there are none', async () => {
    const { accounts } = newWorld();
    const empty = { accounts, workspaces: new Map(accounts.map(({ workspaceId }) => [workspaceId, []])) };
    const skipped = Object.fromEntries(Object.keys(allPass).map((id) => [id, 'skip']));
    expect(await findStates(await serviceWith(undefined, empty))).toEqual(skipped);
  });
});
