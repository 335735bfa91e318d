import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readStatements } from '../../../server/storage/testing/statement-log.ts';
import { checkLog } from './check-log.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-log-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Checks a log of PostgreSQL with these statements and details. */
async function check(...lines: [sql: string, detail?: string][]) {
  const logged = lines.map(([sql, detail]) =>
    JSON.stringify({ application_name: 'branchline', dbname: 'test', message: `execute <unnamed>: ${sql}`, detail }),
  );
  await writeFile(join(folder, '5432.json'), logged.map((line) => `${line}\n`).join(''));
  return checkLog(readStatements(folder));
}

const ACROSS = 'select * from api_keys';

it('a problem is shown with the statements that have it, each kind once and only some', async () => {
  const where = ['source', 'key_id', 'created_at'].map((column): [string] => [`${ACROSS} where ${column} = $1`]);
  const { problems, statements } = await check([ACROSS], [ACROSS], ...where);
  expect(statements).toBe(4);
  expect(problems).toEqual([
    `api_keys: no equality of its workspace_id with a value\n    ${ACROSS}\n    ${ACROSS} where source = $1\n    … and 2 more`,
  ]);
});

it('several parameters are one workspace if they had one value each time', async () => {
  const sql = `insert into api_keys (workspace_id, source) values ($1, $2), ($3, $4)`;
  const row = (a: string, b: string) => `Parameters: $1 = '${a}', $2 = 'it''s, $3 = ''x''', $3 = '${b}', $4 = NULL`;
  expect((await check([sql, row('shop', 'shop')], [sql, row('bank', 'bank')])).problems).toEqual([]);
  expect((await check([sql, row('shop', 'shop')], [sql, row('bank', 'shop')])).problems).toEqual([
    `api_keys: several workspaces at once\n    ${sql}`,
  ]);
  expect((await check([sql])).problems).toEqual([
    `api_keys: named by parameters whose values are not known\n    ${sql}`,
  ]);
});

it('what is exempt passes, whatever its values and names of parameters, and is told from what is not sent', async () => {
  const { problems, exemptButNotSent } = await check([
    'select "workspace_id" from "workspaces" where "deleted_at" is null limit 1',
  ]);
  expect(problems).toEqual([]);
  expect(exemptButNotSent).not.toContain('select workspace_id from workspaces where deleted_at is null limit $1');
  expect(exemptButNotSent).toContain(
    'select workspace_id, created_at from workspaces where deleted_at is null order by workspace_id',
  );
});

it('what a test sent itself, or something else than Branchline, is left alone', async () => {
  expect((await check([`${ACROSS} /* a test */`])).statements).toBe(0);
  await writeFile(
    join(folder, '5433.json'),
    `${JSON.stringify({ application_name: 'psql', dbname: 'test', message: `statement: ${ACROSS}` })}\n`,
  );
  expect((await checkLog(readStatements(folder))).statements).toBe(0);
});
