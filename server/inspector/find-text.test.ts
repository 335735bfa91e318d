import { expect, test, vi } from 'vitest';
import { findText } from './find-text.ts';

test('a name is found by its beginning in Greek, where the end of a word has a letter of its own', async () => {
  const events = ['ΟΔΟΣΑ', 'ΟΔΟΣ', 'Οδος', 'ΔΡΟΜΟΣ'].map((event_name) => ({ event_name }));
  const find = async (text: string) => (await findText('demo', events, text)).map(({ event_name }) => event_name);
  expect(await find('ΟΔΟΣ')).toEqual(['ΟΔΟΣΑ', 'ΟΔΟΣ', 'Οδος']);
  expect(await find('οδος')).toEqual(['ΟΔΟΣΑ', 'ΟΔΟΣ', 'Οδος']);
});

test('a text is looked for in long names in turns', async () => {
  const events = Array.from({ length: 500 }, (_, index) => ({
    event_key: `${index}`,
    event_name: `${'Σ'.repeat(1_000)} ${index}`,
  }));
  // `takeTurn` asks for a microtask in each turn that it gives.
  const turns = vi.spyOn(globalThis, 'queueMicrotask');
  const found = await findText('demo', events, ' 49');
  expect(found.map(({ event_key }) => event_key)).toEqual([
    '49',
    ...Array.from({ length: 10 }, (_, index) => `49${index}`),
  ]);
  expect(turns.mock.calls.length).toBeGreaterThanOrEqual(7);
  turns.mockRestore();
});
