import { describe, expect, it } from 'vitest';
import contract from '../../generated/contract.json' with { type: 'json' };
import { envelopeProblems, eventProblems } from './batch-validator.ts';

const { example } = contract.paths['/inspector/batches/v1'].post.requestBody.content['application/json'];
const [event] = example.events;

const nested = (levels: number): unknown[] =>
  levels === 1 ? [{ name: 'p', type: 'int' }] : [{ name: 'p', type: 'object', properties: nested(levels - 1) }];
const wide = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => ({ name: `p${index}`, type: 'int' }));
const withSchema = (schema: unknown): unknown => ({ ...event, schema });

describe('the rules of a batch', () => {
  it('allow the example of the contract', () => {
    expect(envelopeProblems(example)).toEqual([]);
    expect(example.events.flatMap(eventProblems)).toEqual([]);
  });

  it.each([
    ['a field that is missing', { ...example, samplingRate: undefined }, 'samplingRate'],
    ['a field more', { ...example, device: 'phone' }, 'device'],
    ['an environment that is none', { ...example, environment: 'production' }, '/environment'],
    ['no events', { ...example, events: [] }, '/events'],
  ])('name %s', (_, batch, words) => {
    expect(envelopeProblems(JSON.parse(JSON.stringify(batch))).join()).toContain(words);
  });

  it('leave the events of an envelope to the rules of events', () => {
    expect(envelopeProblems({ ...example, events: [{ nothing: true }] })).toEqual([]);
  });

  it.each([
    ['a value', { ...event, value: 1 }, '"value"'],
    ['a type that is none', withSchema([{ name: 'a', type: 'text' }]), 'type'],
    ['a list without items', withSchema([{ name: 'a', type: 'list' }]), 'items'],
    ['eleven levels', withSchema(nested(11)), '11 levels'],
    [
      '501 properties at two levels',
      withSchema([{ name: 'o', type: 'object', properties: wide(500) }]),
      '501 properties',
    ],
    ['a name twice', withSchema([...wide(1), ...wide(1)]), 'two properties named "p0"'],
    [
      'a type of a list twice',
      withSchema([{ name: 'l', type: 'list', items: [{ type: 'int' }, { type: 'int' }] }]),
      'names a type of its elements twice',
    ],
  ])('name %s of an event', (_, bad, words) => {
    expect(eventProblems(bad).join()).toContain(words);
  });

  it('allow an event what is at the limits', () => {
    expect(eventProblems(withSchema(nested(10)))).toEqual([]);
    expect(eventProblems(withSchema(wide(500)))).toEqual([]);
  });
});
