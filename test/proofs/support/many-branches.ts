import { sql } from 'kysely';
import { expect } from 'vitest';
import { type Installation, WORKSPACE } from './installation.ts';

/** The id of the nth branch that {@link insertBranches} makes, from 1; also its name. */
export function idOfOld(n: number): string {
  return `old-${n}`;
}

/** Puts so many branches into the workspace by one statement of the database, oldest first, all created in the year 2020. */
export async function insertBranches({ administration }: Installation, count: number): Promise<void> {
  await administration.storage.write((tx) =>
    sql`
      insert into branches (
        workspace_id, branch_id, name, status, creator_id, creator_email, created_at, collaborators, sequence
      )
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
      select ${sql.lit(WORKSPACE)}, 'old-' || n, 'old-' || n, 'Draft', '019a0b7a-11d2-7b1e-9a7b-0d0f5b9c1e22',
        'ci@example.com', 1577836800000 + n, '["grace@example.com"]', 1
      from numbers
    `.execute(tx),
  );
  const { rows } = await administration.storage.write((tx) =>
    sql<{ count: number }>`select count(*) as count from branches where branch_id like 'old-%'`.execute(tx),
  );
  expect(Number(rows[0]?.count)).toBe(count);
}
