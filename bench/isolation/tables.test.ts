import { expect, it } from 'vitest';
import { tablesOf, type Trial } from './tables.ts';

const FARED = { sent: 4, served: 3, others: { 503: 1 }, p50: 1.25, p99: 49.9, max: 12_345 };

const scenario = (targets?: Record<string, number>) => ({
  title: 'Attack',
  run: () => Promise.reject(new Error('never')),
  ...(targets && { targets }),
});

it('shows beside a figure whether its target was met', () => {
  const others = [
    { name: '/livez', ...FARED },
    { name: 'Create Branch', ...FARED, p99: 250 },
    { name: 'Ingest', ...FARED },
  ];
  const trials: Trial[] = [{ where: 'SQLite, present', outcome: { others, figures: {} } }];
  const [table] = tablesOf(scenario({ '/livez': 50, 'Create Branch': 250 }), trials);
  expect(table?.columns.at(-1)).toBe('Target for p99');
  expect(table?.rows.map((row) => row.at(-1))).toEqual(['< 50 ms: met', '< 250 ms: missed', '']);
  expect(table?.rows[0]).toEqual([
    'SQLite, present',
    '/livez',
    '1.3',
    '49.9',
    '12,345',
    '3 of 4 (75.0 %)',
    '503: 1',
    '< 50 ms: met',
  ]);
});

it('has a column for each figure that any of the trials has', () => {
  const trials: Trial[] = [
    { where: 'SQLite', outcome: { others: [], figures: { Took: '1', WAL: '2' } } },
    { where: 'PostgreSQL', outcome: { others: [], figures: { Took: '3' } } },
  ];
  const [others, cost] = tablesOf(scenario(), trials);
  expect(others?.columns).not.toContain('Target for p99');
  expect(cost).toEqual({
    columns: ['Attack: its cost', 'Took', 'WAL'],
    rows: [
      ['SQLite', '1', '2'],
      ['PostgreSQL', '3', ''],
    ],
  });
});
