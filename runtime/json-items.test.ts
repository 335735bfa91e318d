import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readItems } from './json-items.ts';

const plan = { required: true, maxBytes: 3_000_000, gzip: false, media: [] };

/** How many turns the reading takes, and the most items that are given between two of them. */
async function countTurns(text: string, type: string): Promise<{ items: number; turns: number; mostAtOnce: number }> {
  const seen = { items: 0, turns: 0, mostAtOnce: 0 };
  let since = 0;
  const takeTurn = async (): Promise<void> => {
    seen.turns += 1;
    since = 0;
  };
  const payload = Readable.from([Buffer.from(text)]);
  for await (const _ of readItems(payload, type, plan, { validate: undefined, takeTurn })) {
    seen.items += 1;
    since += 1;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, since);
  }
  return seen;
}

describe('the reading of items', () => {
  test.each([
    ['application/x-ndjson', '1\n'],
    ['application/json-seq', '\u001E1'],
  ])('gives way after some, however short they are: %s', async (type, item) => {
    const { items, mostAtOnce } = await countTurns(item.repeat(20_000), type);
    expect(items).toBe(20_000);
    expect(mostAtOnce).toBeLessThan(300);
  });

  test.each(['\n', '\r\n', '  \n'])('gives way among lines without an item: %j', async (line) => {
    const { items, turns } = await countTurns(line.repeat(20_000), 'application/x-ndjson');
    expect(items).toBe(0);
    expect(turns).toBeGreaterThan(20_000 / 300);
  });

  test('waits for no turn where there are few', async () => {
    expect(await countTurns('{"n":1}\n'.repeat(100), 'application/x-ndjson')).toMatchObject({ items: 100, turns: 0 });
  });
});
