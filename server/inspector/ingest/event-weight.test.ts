// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import type { EventReport } from '../event-schema.ts';
import { batch, event, KEY, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { watchTransactions } from '../testing/transactions.ts';

/** Fifty new events without properties insert some 5,000 values, a thousand known ones 3,000. */
const MOST_VALUES = 8_000;

/** Most are parts of keys, each of which stands in several tables. */
const MOST_CHARACTERS = 256 * 1024;

const numbered = <Entry>(length: number, make: (index: number) => Entry): Entry[] =>
  Array.from({ length }, (_, index) => make(index));

const named = (length: number) => numbered(300, (index) => event({ eventName: `${'n'.repeat(length)} ${index}` }));

async function largestTransactions(storage: Storage, events: EventReport[], version: string) {
  const watched = watchTransactions(storage);
  const ingest = openIngest({ storage: watched.storage });
  const receipt = await ingest.take(KEY, batch(events, { version }));
  expect(receipt.accepted).toBe(events.length);
  await ingest.close();
  return {
    values: Math.max(...watched.transactions.map(({ values }) => values)),
    characters: Math.max(...watched.transactions.map(({ characters }) => characters)),
    transactions: watched.transactions.length,
  };
}

describe('one transaction writes little, whatever is new of', () => {
  const forms: [string, EventReport[], version: string][] = [
    ['events without properties', named(1), '1.0'],
    ['events with long names', named(1_000), '1.0'],
    ['events in a version with a long name', named(1), 'v'.repeat(100)],
    ['events with properties', named(1).map((one) => ({ ...one, schema: properties(8, '') })), '1.0'],
    ['properties with long names', named(1).map((one) => ({ ...one, schema: properties(2, 'n'.repeat(250)) })), '1.0'],
  ];
  test.for(forms)('%s', async ([, events, version], { storage }) => {
    const { values, characters } = await largestTransactions(storage, events, version);
    expect(values).toBeLessThan(MOST_VALUES);
    expect(characters).toBeLessThan(MOST_CHARACTERS);
  });
});

test('known events, and new ones of a few shapes, are stored in one transaction', async ({ storage }) => {
  const few = numbered(500, (index) => event({ eventName: `Event ${index % 5}` }));
  expect(await largestTransactions(storage, few, '1.0')).toMatchObject({ transactions: 1 });
  const ingest = openIngest({ storage });
  await ingest.take(KEY, batch(named(1)));
  const watched = watchTransactions(storage);
  const again = openIngest({ storage: watched.storage });
  await again.take(KEY, batch(named(1)));
  const before = watched.transactions.length;
  await again.take(KEY, batch(named(1)));
  expect(watched.transactions.length - before).toBe(1);
});

function properties(length: number, name: string) {
  return numbered(length, (index) => ({ name: `${name}${index}`, type: 'int' as const }));
}
