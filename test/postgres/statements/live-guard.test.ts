import { expect, it } from 'vitest';
import { LiveGuard } from './live-guard.ts';

const LOOK = 'select 1 from workspaces where workspace_id = $1 and deleted_at is null';
const ADD = 'insert into sources (workspace_id, source) values ($1, $2)';
const CHANGE = 'update users set role = $2 where workspace_id = $1';
const TOUCH = 'update sessions set last_used_at = $1 where workspace_id = $2 and session_hash = $3';

/** Whether each of the statements of one transaction, all of one workspace, may be there. */
function check(...statements: string[]): boolean[] {
  const guard = new LiveGuard();
  const shop = new Set(['shop']);
  return statements.map((sql) => guard.check({ sql, session: 'a', transaction: '1/1' }, shop).length === 0);
}

it.each([
  ['after the weakest lock', [`${LOOK} for key share`, ADD, CHANGE]],
  ['after a stronger one', [`${LOOK} for share`, CHANGE]],
  ['after the strongest that the server takes', [`${LOOK} for no key update`, ADD]],
  ['of a workspace that is made', ['insert into workspaces (workspace_id) values ($1) on conflict do nothing', ADD]],
  ['that only deletes', ['delete from sessions where workspace_id = $1']],
  ['that writes what is of no workspace', ["insert into maintenance (task) values ('a')"]],
  ['that ends the workspace', ['update workspaces set deleted_at = 1 where workspace_id = $1']],
  ['that only touches a session', [TOUCH]],
])('may be: a transaction %s', (_what, statements) => {
  expect(check(...statements)).toEqual(statements.map(() => true));
});

it.each([
  ['of one statement', [ADD]],
  ['that only changes', [CHANGE]],
  ['after a look that locks nothing', [LOOK, ADD]],
  [
    'after a lock that does not ask whether it has ended',
    ['select 1 from workspaces where workspace_id = $1 for share', ADD],
  ],
  ['after a lock of one that may have ended', [LOOK.replace('and', 'or').concat(' for share'), ADD]],
  [
    'after a lock of something else',
    ['select 1 from users where workspace_id = $1 and deleted_at is null for update', ADD],
  ],
  ['after a change of the workspace', ['update workspaces set created_at = 1 where workspace_id = $1', ADD]],
  ['within a query', [`with added as (${ADD} returning 1) select 1`]],
  [
    'that changes more of a session than its last use',
    [TOUCH.replace('last_used_at = $1', 'last_used_at = $1, user_id = $4')],
  ],
])('may not be: a transaction %s', (_what, statements) => {
  expect(check(...statements)).toEqual(statements.map((_, at) => at < statements.length - 1));
});

it('a lock counts for its own workspace and transaction', () => {
  const guard = new LiveGuard();
  const shop = new Set(['shop']);
  const lock = { sql: `${LOOK} for key share`, session: 'a', transaction: '1/1' };
  guard.check(lock, shop);
  for (const [session, transaction, workspaces] of [
    ['a', '1/1', new Set(['bank'])],
    ['a', '1/1', new Set(['shop', 'bank'])],
    ['a', '1/1', new Set<string>()],
    ['b', '1/1', shop],
    ['a', '1/2', shop],
  ] as const) {
    guard.check(lock, shop);
    expect(guard.check({ sql: ADD, session, transaction }, workspaces)).toHaveLength(1);
  }
});

it('tells which tables were written, and which exceptions nothing made use of', () => {
  const guard = new LiveGuard();
  for (const sql of [ADD, TOUCH]) guard.check({ sql, session: 'a', transaction: '1/1' }, new Set(['shop']));
  expect([...guard.written]).toEqual(['sources']);
  expect(guard.unused).toEqual(['rate_limits', 'live_messages']);
});
