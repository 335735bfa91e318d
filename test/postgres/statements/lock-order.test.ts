import { expect, it } from 'vitest';
import { LockOrder } from './lock-order.ts';

const WORKSPACE = 'select 1 from workspaces where workspace_id = $1';
const USER = `update users set role = $2 where workspace_id = $1`;

/** Whether each of the statements of one transaction is in order. */
function check(...statements: string[]): boolean[] {
  const order = new LockOrder();
  return statements.map((sql) => order.check({ sql, session: 'a', transaction: '1/1' }).length === 0);
}

it.each([
  ['the workspace first', [`${WORKSPACE} for share`, USER, `${WORKSPACE} for key share`]],
  ['what is only read before', ['select 1 from users where workspace_id = $1', `${WORKSPACE} for key share`, USER]],
  ['a workspace that is made', [`insert into workspaces (workspace_id) values ($1)`, USER, `${WORKSPACE} for share`]],
  ['a workspace that is changed', [`${WORKSPACE} for no key update`, USER, 'update workspaces set created_at = 1']],
  ['no workspace', [USER, USER, WORKSPACE]],
])('in order: %s', (_what, statements) => {
  expect(check(...statements)).toEqual([true, true, true]);
});

it.each([
  ['the workspace after a row that is written', [USER, `${WORKSPACE} for share`]],
  [
    'after one that is locked',
    [`select 1 from users where workspace_id = $1 for update`, `${WORKSPACE} for key share`],
  ],
  [
    'after one that is written in a query within',
    [`with a as (${USER} returning 1) select 1`, `${WORKSPACE} for share`],
  ],
  ['more strongly than at first', [`${WORKSPACE} for key share`, `${WORKSPACE} for no key update`]],
  ['written after it was kept', [`${WORKSPACE} for share`, 'update workspaces set created_at = 1']],
])('not in order: %s', (_what, statements) => {
  expect(check(...statements)).toEqual([true, false]);
});

it('is of one transaction', () => {
  const order = new LockOrder();
  order.check({ sql: USER, session: 'a', transaction: '1/1' });
  for (const [session, transaction] of [
    ['a', '1/2'],
    ['b', '1/1'],
  ] as const)
    expect(order.check({ sql: `${WORKSPACE} for share`, session, transaction })).toEqual([]);
});
