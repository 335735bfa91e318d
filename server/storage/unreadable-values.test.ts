// @module-tag both-engines
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { createBranch } from '../branches/testing/branches.ts';
import { test } from '../branches/testing/database.ts';
import { branchStore } from '../branches/store.ts';
import type { Storage } from './storage.ts';
import { testedEngine } from './testing/databases.ts';
import { errorOf } from './testing/error-of.ts';
import { ofTest } from './testing/statements-of-tests.ts';
import { UnreadableValue } from './unreadable-value.ts';

const NUMBERS = ['9223372036854775807', '-9007199254740993', '8640000000000001'];

/** SQLite alone takes these into such columns. */
const MISFITS: [column: string, value: string][] = [
  ['created_at', '1.5e300'],
  ['created_at', "'yesterday'"],
  ['created_at', "x'00'"],
  ['name', "x'00'"],
  ['collaborators', "x'5b5d'"],
];

const given: [column: string, value: string][] = [
  ...NUMBERS.map((value): [string, string] => ['created_at', value]),
  ...(testedEngine() === 'sqlite' ? MISFITS : []),
];

const readAll = (storage: Storage) =>
  Array.fromAsync(
    storage.stream((db) => db.selectFrom('branches').selectAll().where('workspace_id', '=', 'demo'), 'demo'),
  );

describe.each(given)('%s, in which another program has put %s,', (column, value) => {
  test('fails what reads it, and says where it is', async ({ storage }) => {
    await createBranch(storage, 'checkout');
    const damage = sql`update branches set ${sql.ref(column)} = ${sql.raw(value)}`;
    await ofTest(storage).write((tx) => damage.execute(tx));
    const where = testedEngine() === 'sqlite' ? `branches.${column}` : 'a column of numbers';
    const reads = {
      page: () => branchStore(storage).page({ workspaceId: 'demo' }, { limit: 10 }),
      stream: () => readAll(storage),
      write: () => ofTest(storage).write((tx) => tx.selectFrom('branches').selectAll().execute()),
    };
    for (const [name, read] of Object.entries(reads)) {
      const error = await errorOf(read());
      expect(error, name).toBeInstanceOf(UnreadableValue);
      expect(String(error), name).toContain(where);
    }
  });

  test('leaves all else as it was', async ({ storage }) => {
    await createBranch(storage, 'checkout');
    const damage = sql`update branches set ${sql.ref(column)} = ${sql.raw(value)}`;
    await ofTest(storage).write((tx) => damage.execute(tx));
    await errorOf(readAll(storage));
    await ofTest(storage).write((tx) => sql`delete from branches`.execute(tx));
    await createBranch(storage, 'other', 2);
    expect((await readAll(storage)).flat()).toMatchObject([{ name: 'other' }]);
    await storage.ping();
  });
});
