import { expect, it, vi } from 'vitest';
import { printRows } from './print.ts';

it('prints each of many rows once, in order, in tables that each begin with their head', async () => {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    await printRows(
      Array.from({ length: 600 }, (_, at) => ({ id: `row-${at}` })),
      {},
    );
  } finally {
    write.mockRestore();
  }
  const cells = [...written.join('').matchAll(/│ (\S+) +│/g)].map(([, text]) => text);
  const rows = Array.from({ length: 600 }, (_, at) => `row-${at}`);
  expect(cells).toEqual(['id', ...rows.slice(0, 250), 'id', ...rows.slice(250, 500), 'id', ...rows.slice(500)]);
});
