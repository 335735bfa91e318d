import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { clausePage } from './clause-page.ts';
import { clauses } from './clauses.ts';
import type { Clause } from './engine/result.ts';

it('docs/clauses.md is what the clauses say (npm run generate:clauses)', async () => {
  const options = await resolveConfig(import.meta.filename);
  const page = await format(clausePage(clauses), { ...options, parser: 'markdown' });
  await expect(page).toMatchFileSnapshot('../docs/clauses.md');
});

it('a table stays one, whatever a sentence has in it', () => {
  const clause: Clause = {
    id: 'A-1',
    level: 'observed',
    subject: 'library',
    document: 'A document',
    section: 'A section',
    sentence: 'One of a|b: not shown.',
    note: 'Which one.',
  };
  expect(clausePage([clause])).toContain(
    '### A document: A section\n\n| Clause | Level | Sentence | Note |\n| --- | --- | --- | --- |\n' +
      '| A-1 | observed | One of a\\|b: not shown. | Which one. |',
  );
});
