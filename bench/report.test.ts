import prettier from 'prettier';
import { expect, it } from 'vitest';
import { markdownOf } from './report.ts';

it('writes Markdown as Prettier does, so that a new report passes the checks', async () => {
  const markdown = markdownOf({
    title: 'Create Branch',
    about: 'What is measured.',
    tables: [
      {
        columns: ['Server', 'requests/s'],
        rows: [
          ['Branchline', '4,762'],
          ['bare', 12],
        ],
      },
      { columns: ['', 'p99'], rows: [['×', '1 µs']] },
    ],
  });
  expect(markdown).toBe(await prettier.format(markdown, { parser: 'markdown' }));
});
