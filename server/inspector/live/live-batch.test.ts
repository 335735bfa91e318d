import { expect, it } from 'vitest';
import { batch, event, KEY, NOW } from '../testing/batches.ts';
import { liveBatch } from './live-batch.ts';

const receipt = { accepted: 0, duplicates: 0, rejected: [], samplingRate: 1 };

it('lists the first 20 names, and counts the rest', () => {
  const events = Array.from({ length: 60 }, (_, n) => event({ eventName: `Event ${n % 30}` }));
  const told = liveBatch(KEY, batch(events), { ...receipt, accepted: 60 }, NOW);
  expect(told.events).toHaveLength(20);
  expect(told.events[0]).toEqual({ eventName: 'Event 0', count: 2 });
  expect(told.otherEvents).toBe(20);
});

it('counts the events whose schemas are asked for', () => {
  const told = liveBatch(KEY, batch([event(), event(), event()]), { ...receipt, accepted: 1 }, NOW);
  expect(told).toMatchObject({ accepted: 1, unknown: 2 });
});

it('lists the first 10 rejections, each with its name where there is one', () => {
  const events = Array.from({ length: 12 }, (_, n) => (n === 1 ? 'no event' : event({ eventName: `Event ${n}` })));
  const rejected = events.map((_, index) => ({ index, messageId: null, reason: 'No.' }));
  const told = liveBatch(KEY, batch(events), { ...receipt, rejected }, NOW);
  expect(told.rejected).toBe(12);
  expect(told.rejections.map(({ eventName }) => eventName)).toEqual(
    [0, null, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => (n === null ? null : `Event ${n}`)),
  );
});

it.each(['x', '名', '\u0001', '👩🏽‍🚀', '\ud800'])('takes no more than 8 KiB, whatever is in it (%j)', (character) => {
  const long = character.repeat(1_024);
  const events = Array.from({ length: 1_000 }, (_, n) => event({ eventName: `${n}${long}` }));
  const rejected = events.map((_, index) => ({ index, messageId: null, reason: long.slice(0, 400) }));
  const label = character.repeat(100).slice(0, 100);
  const large = { ...batch(events, { version: label }), library: { name: label, version: label, platform: label } };
  const told = liveBatch({ ...KEY, source: label }, large, { ...receipt, rejected }, NOW);
  expect(Buffer.byteLength(JSON.stringify(told))).toBeLessThanOrEqual(8_192);
  expect(told.events.length + told.rejections.length).toBeGreaterThan(0);
  expect(told.otherEvents + told.events.length).toBe(1_000);
  expect(JSON.parse(JSON.stringify(told))).toEqual(told);
});
