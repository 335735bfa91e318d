// @module-tag both-engines
import { expect } from 'vitest';
import { ofTest } from './testing/statements-of-tests.ts';
import { test } from '../branches/testing/database.ts';
import { workFor, workHolding } from './holder.ts';

test('what holds something takes turns with all else of its holder, however much that is', async ({ storage }) => {
  const begun: string[] = [];
  const write = (what: string) => () =>
    ofTest(storage).write(async (tx) => {
      begun.push(what);
      await tx.selectFrom('workspaces').selectAll().execute();
    });
  const flood = Array.from({ length: 200 }, () => workFor('demo', write('asking')));
  const holding = workFor('demo', () => workHolding(write('holding')));
  await Promise.all([...flood, holding]);
  expect(begun).toHaveLength(201);
  expect(begun.indexOf('holding')).toBeLessThan(30);
});
