import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LOCAL_TABLES, SHARDED_TABLES } from './workspace-rule.ts';

const docs = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');

it('the tables that the docs distribute are all that have a workspace', () => {
  const distributed = Array.from(
    docs.matchAll(/create_distributed_table\('(\w+)', 'workspace_id'/g),
    ([, table]) => table,
  );
  expect(distributed).toEqual(SHARDED_TABLES);
});

it('the docs name the tables that stay local', () => {
  for (const table of LOCAL_TABLES) expect(docs).toContain(`\`${table}\``);
});
