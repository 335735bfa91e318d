import { afterEach, expect, test, vi } from 'vitest';
import { printWarnings } from './print-warnings.ts';

const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
afterEach(() => write.mockClear());

const listWritten = (): unknown[] => write.mock.calls.map(([text]) => text);

test('many warnings are shown by the first fifty and their number', () => {
  printWarnings(Array.from({ length: 2_000 }, (_, index) => `Fault ${index}.`));
  expect(listWritten()).toHaveLength(51);
  expect(listWritten()[49]).toBe('Warning: Fault 49.\n');
  expect(listWritten()[50]).toBe('Warning: and 1950 more; correct these first.\n');
});

test('a warning commands no terminal', () => {
  printWarnings(['The tag "\u001b[2J" is unknown.']);
  expect(listWritten()).toEqual([`Warning: The tag "${String.raw`\u001b`}[2J" is unknown.\n`]);
});
