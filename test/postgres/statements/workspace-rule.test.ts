import { expect, it } from 'vitest';
import { SLOT_TABLES } from '../../../server/inspector/ingest/message-slots.ts';
import { checkStatement } from './workspace-rule.ts';

/** Statement and the tables that it is refused for; none where it is fine. */
const STATEMENTS: [sql: string, refusedFor: string[]][] = [
  // One table.
  [`select * from branches where workspace_id = $1`, []],
  [`select * from "branches" where "workspace_id" = $1 and "name" in ($2, $3)`, []],
  [`select * from branches where $1 = workspace_id`, []],
  [`select * from branches where workspace_id = 'shop'`, []],
  [`select * from branches where workspace_id = $1::text`, []],
  [`select * from branches where workspace_id in ($1)`, []],
  [`select * from branches where (workspace_id, branch_id) = ($1, $2)`, []],
  [`select * from branches where workspace_id = $1 and (name, status) in (values ($2, $3), ($4, $5))`, []],
  [`select * from branches as b where b.workspace_id = $1 order by created_at limit 5`, []],
  [`select * from branches`, ['branches']],
  [`select * from branches where name = $1`, ['branches']],
  [`select * from branches where workspace_id = $1 or name = $2`, ['branches']],
  [`select * from branches where not workspace_id = $1`, ['branches']],
  [`select * from branches where workspace_id <> $1`, ['branches']],
  [`select * from branches where workspace_id >= $1`, ['branches']],
  [`select * from branches where workspace_id like $1`, ['branches']],
  [`select * from branches where workspace_id in ($1, $2)`, ['branches']],
  [`select * from branches where workspace_id = any($1)`, ['branches']],
  [`select * from branches where lower(workspace_id) = $1`, ['branches']],
  [`select * from branches where workspace_id = name`, ['branches']],
  [`select * from branches where workspace_id = workspace_id`, ['branches']],
  [`select * from branches where (workspace_id, branch_id) in (values ($1, $2))`, ['branches']],
  [`select workspace_id = $1 from branches`, ['branches']],
  [`select workspace_id from branches group by workspace_id having workspace_id = $1`, ['branches']],
  // Joins.
  [`select 1 from branches b join branch_events e on b.workspace_id = e.workspace_id where b.workspace_id = $1`, []],
  [`select 1 from branches b, branch_events e where e.workspace_id = b.workspace_id and e.workspace_id = $1`, []],
  [`select 1 from branches b join branch_events e using (workspace_id, branch_id) where b.workspace_id = $1`, []],
  [`select 1 from branches b join branch_events e on b.workspace_id = $1 and e.workspace_id = $1`, []],
  [
    `select 1 from branches b join branch_events e on e.workspace_id = b.workspace_id
      join api_keys k on k.workspace_id = e.workspace_id where k.workspace_id = $1`,
    [],
  ],
  [
    `select 1 from branches b join branch_events e on b.branch_id = e.branch_id where b.workspace_id = $1`,
    ['branch_events'],
  ],
  [`select 1 from branches b join branch_events e on b.workspace_id = e.workspace_id`, ['branches', 'branch_events']],
  [`select 1 from branches a join branches b on a.name = b.name where a.workspace_id = $1`, ['branches']],
  [`select 1 from (select 1) as asked left join api_keys on workspace_id = $1`, []],
  [
    `select 1 from branches b left join branch_events e on e.workspace_id = b.workspace_id where b.workspace_id = $1`,
    [],
  ],
  [`select 1 from branches b right join branch_events e on b.workspace_id = $1 where e.workspace_id = $1`, []],
  [`select 1 from branches b left join branch_events e on e.workspace_id = $1 and b.workspace_id = $1`, ['branches']],
  [
    `select 1 from branches b left join branch_events e on e.workspace_id = b.workspace_id and e.workspace_id = $1`,
    ['branches'],
  ],
  [
    `select 1 from branches b full join branch_events e on e.workspace_id = $1 and b.workspace_id = $1`,
    ['branches', 'branch_events'],
  ],
  // Queries within.
  [`select 1 from branches where workspace_id = $1 and exists (select 1 from api_keys where workspace_id = $1)`, []],
  [`select 1 from branches where workspace_id = $1 and name in (select source from api_keys)`, ['api_keys']],
  [`select (select count(*) from api_keys) from branches where workspace_id = $1`, ['api_keys']],
  [
    `select 1 from branches b where b.workspace_id = $1
      and exists (select 1 from api_keys k where k.workspace_id = b.workspace_id)`,
    ['api_keys'],
  ],
  [`select 1 from (select * from branches where workspace_id = $1 limit 5) as page`, []],
  [`select 1 from (select * from branches) as page where page.workspace_id = $1`, ['branches']],
  [
    `select 1 from (select * from branches where workspace_id = $1 limit 5) as page
      join branch_events e on e.workspace_id = page.workspace_id`,
    ['branch_events'],
  ],
  [`with open as (select * from branches where workspace_id = $1) select * from open`, []],
  [`with open as (select * from branches) select * from open where workspace_id = $1`, ['branches']],
  [`with branches as (select * from api_keys where workspace_id = $1) select * from branches`, []],
  [`with gone as (delete from branches returning name) select * from gone`, ['branches']],
  [
    `select name from branches where workspace_id = $1 union all select source from api_keys where workspace_id = $1`,
    [],
  ],
  [`select name from branches where workspace_id = $1 union select source from api_keys`, ['api_keys']],
  [`declare c no scroll cursor for select * from branches where workspace_id = $1`, []],
  [`declare c no scroll cursor for select * from branches`, ['branches']],
  [`select * from branches where workspace_id = $1; select * from api_keys`, ['api_keys']],
  // Inserts.
  [`insert into branches (workspace_id, name) values ($1, $2)`, []],
  [`insert into branches (name, workspace_id) values ($1, $2), ($3, $2)`, []],
  [`insert into branches (workspace_id, name) select $1, n from generate_series(1, 3) as n`, []],
  [
    `insert into branches (workspace_id, name) values ($1, $2) on conflict (workspace_id, name) do update set name = excluded.name`,
    [],
  ],
  [`insert into branches (name) values ($1)`, ['branches']],
  [`insert into branches values ($1, $2)`, ['branches']],
  [`insert into branches default values`, ['branches']],
  [`insert into branches (workspace_id, name) values ($1, $2), (default, $3)`, ['branches']],
  [`insert into branches (workspace_id, name) values (upper($1), $2)`, ['branches']],
  [
    `insert into branches (workspace_id, name) select workspace_id, source from api_keys where workspace_id = $1`,
    ['branches'],
  ],
  [`insert into branches (workspace_id, name) select $1, source from api_keys`, ['api_keys']],
  [
    `insert into branches (workspace_id, name) values ($1, $2)
      on conflict (workspace_id, name) do update set workspace_id = excluded.workspace_id`,
    ['branches'],
  ],
  // Updates and deletes.
  [`update branches set name = $1 where workspace_id = $2`, []],
  [
    `update branches b set name = e.data from branch_events e where b.workspace_id = $1 and e.workspace_id = b.workspace_id`,
    [],
  ],
  [`update branches set name = $1 where branch_id = $2`, ['branches']],
  [`update branches set workspace_id = $1, name = $2 where workspace_id = $1`, ['branches']],
  [`update branches set (workspace_id, name) = ($1, $2) where workspace_id = $1`, ['branches']],
  [`update branches b set name = e.data from branch_events e where b.workspace_id = $1`, ['branch_events']],
  [`delete from branches where workspace_id = $1 and (branch_id, name) in (values ($2, $3))`, []],
  [`delete from branches`, ['branches']],
  [`delete from branches using api_keys k where branches.workspace_id = $1`, ['api_keys']],
  [
    `delete from branches where workspace_id = $1
      and (workspace_id, name) in (select workspace_id, name from branches where status = 'Closed' limit 5)`,
    ['branches'],
  ],
  // About no table of a workspace.
  [`select pg_advisory_xact_lock(1)`, []],
  [`begin isolation level read committed; set local statement_timeout = 5000`, []],
  [`fetch 500 from branchline_rows`, []],
  [`select name from kysely_migration`, []],
  [`select * from pg_catalog.pg_class`, []],
  [`create table branches (workspace_id text)`, []],
  [`select * from guests where workspace_id = $1`, ['guests']],
  [`truncate branches`, ['branches']],
  [`truncate ${SLOT_TABLES[0]}`, []],
  [`truncate ${SLOT_TABLES[0]}, branches`, ['branches']],
  [`copy branches to stdout`, ['CopyStmt']],
];

it.each(STATEMENTS)('%s', (sql, refusedFor) => {
  expect(checkStatement(sql).problems.map((problem) => /^\w+/.exec(problem)?.[0])).toEqual(refusedFor);
});

it.each([
  [
    `select 1 from branches where workspace_id = $1 and name in (select source from api_keys where workspace_id = $2)`,
    2,
  ],
  [`select 1 from branches where workspace_id = $1 and workspace_id = 'shop'`, 2],
  [`select 1 from branches b join branch_events e on b.workspace_id = $1 and e.workspace_id = $2`, 2],
  [
    `select name from branches where workspace_id = $1 union select source from api_keys where workspace_id = 'shop'`,
    2,
  ],
  [`insert into branches (workspace_id, name) values ($1, $2), ($3, $4)`, 2],
  [`insert into branches (workspace_id, name) values ($1, $2), ($1, $3)`, 1],
])('%s names workspaces in %i ways', (sql, ways) => {
  const { problems, workspaces } = checkStatement(sql);
  expect(problems).toEqual([]);
  expect(workspaces.size).toBe(ways);
});

it('says which table, by which name, and what is missing', () => {
  const { problems } = checkStatement('select 1 from branches b join api_keys on api_keys.workspace_id = $1');
  expect(problems).toEqual(['branches as b: no equality of its workspace_id with a value']);
});
