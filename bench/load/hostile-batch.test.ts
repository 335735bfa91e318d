import { expect, it } from 'vitest';
import { EventValidator } from '../../server/inspector/ingest/event-validator.ts';
import { EVENT_LIMITS } from '../../server/inspector/limits.ts';
import { hostileBatches } from './hostile-batch.ts';

interface Batch {
  app: { version: string };
  environment: string;
  events: { eventName: string; schema: { name: string; type: string }[] }[];
}

const validate = (text: string) => new EventValidator(EVENT_LIMITS).validate(JSON.parse(text).events);
const parsed = (texts: Iterable<string>): Batch[] => Array.from(texts, (text) => JSON.parse(text));

it('fills a batch with as many properties as fit into 1 MiB, each of another type than in the batch before', () => {
  const texts = [...hostileBatches({ kind: 'freshProperties', batches: 2, events: 64, properties: 500 })];
  for (const text of texts) expect(text.length).toBeLessThan(2 ** 20);
  const properties = parsed(texts).map(({ events }) => events.flatMap(({ schema }) => schema));
  expect(properties[0]).toHaveLength(64 * 500);
  expect(properties[0]?.length).toBeLessThanOrEqual(64 * EVENT_LIMITS.maxProperties);
  expect(properties[1]?.map(({ name }) => name)).toEqual(properties[0]?.map(({ name }) => name));
  expect(properties.map((some) => [...new Set(some.map(({ type }) => type))])).toEqual([['int'], ['null']]);
});

it('is refused whole', async () => {
  const [text = ''] = hostileBatches({ kind: 'refused', batches: 1, events: 1_000, properties: 12 });
  expect(text.length).toBeGreaterThan(500_000);
  const { valid, refused } = await validate(text);
  expect([valid.length, refused.length]).toEqual([0, 1_000]);
});

it('nests lists as the contract allows, in events that are all new', async () => {
  const texts = [...hostileBatches({ kind: 'nestedLists', batches: 2, events: 16, lists: 16, levels: 9 })];
  const shapes = await Promise.all(
    texts.map(async (text) => (await validate(text)).valid.map(({ shape }) => shape.id)),
  );
  expect(new Set(shapes.flat()).size).toBe(32);
});

it('has the names of a version all be new, and then those of the next', () => {
  const form = { kind: 'names', batches: 5, events: 2, names: 4, versions: 2, characters: 3 } as const;
  const batches = parsed(hostileBatches(form));
  expect(batches.map(({ app }) => app.version)).toEqual(['1.0.0', '1.0.0', '1.0.1', '1.0.1', '1.0.0']);
  const names = batches.map(({ events }) => events.map(({ eventName }) => eventName).join(' '));
  expect(names).toEqual(['nnn0 nnn1', 'nnn2 nnn3', 'nnn0 nnn1', 'nnn2 nnn3', 'nnn0 nnn1']);
});

it('brings out versions one after the other, in all environments', () => {
  const batches = parsed(hostileBatches({ kind: 'versions', from: 9, to: 11, properties: 2 }));
  expect(batches.map(({ app }) => app.version)).toEqual(['1.0.9', '1.0.10', '1.0.11']);
  expect(new Set(batches.map(({ environment }) => environment)).size).toBe(3);
  expect(batches.map(({ events }) => events[0]?.schema[0]?.type)).toEqual(['null', 'int', 'null']);
});
