import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listen } from '../selftest/service/listen.ts';
import { runSuite } from '../service/run.ts';
import { Chance } from './chance.ts';
import { optionsFor } from './report/testing/reports.ts';

it('the same number chooses the same, another one something else', () => {
  fc.assert(
    fc.property(fc.nat(), fc.string(), fc.integer({ min: 1, max: 32 }), (seed, purpose, length) => {
      const [one, same, other] = [new Chance(seed), new Chance(seed), new Chance(seed + 1)];
      expect(same.text(purpose, length)).toBe(one.text(purpose, length));
      expect(one.text(purpose, length)).toMatch(new RegExp(`^[a-z0-9]{${length}}$`));
      expect(same.uuid(purpose)).toBe(one.uuid(purpose));
      expect(one.uuid(purpose)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(other.uuid(purpose)).not.toBe(one.uuid(purpose));
    }),
  );
});

/** What each case of a run on a service of its own has sent, but for the service's address. */
async function sentBy(
  chance: number | undefined,
): Promise<{ seed: number | undefined; sent: Record<string, string[]> }> {
  const service = await listen();
  const { seed, results } = await runSuite({
    ...optionsFor(service),
    chance,
    // One name is the id that the service has given to another branch.
    selection: {
      only: ['creation/', 'conflicts/', 'invalid-names/', 'workspaces/'],
      exclude: ['creation/name-like-an-id'],
    },
  });
  await service.close();
  const sent = results.map(({ id, exchanges }) => [id, exchanges.map(({ request }) => request.body ?? request.method)]);
  return { seed, sent: Object.fromEntries(sent) };
}

it('a run with the number of another sends in each case what that one sent', async () => {
  const first = await sentBy(undefined);
  expect(first.seed).toBeTypeOf('number');
  const again = await sentBy(first.seed);
  expect(again).toEqual(first);
  const other = await sentBy((first.seed ?? 0) + 1);
  expect(other.sent).not.toEqual(first.sent);
});
