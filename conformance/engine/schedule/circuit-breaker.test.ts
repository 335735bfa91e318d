import { expect, it } from 'vitest';
import { Silence } from './circuit-breaker.ts';

function after(operation: string, answered: readonly boolean[], silence = new Silence()): Silence {
  for (const one of answered) silence.note(operation, one);
  return silence;
}

const times = (count: number, answered: boolean): boolean[] => Array<boolean>(count).fill(answered);

it('gives an operation up that has never answered, and no other', () => {
  const silence = after('export', times(4, false), after('create', [true]));
  expect(silence.isGivenUp('export')).toBe(true);
  expect(silence.isGivenUp('create')).toBe(false);
});

it('has more patience with one that answers now and then, but not without end', () => {
  const now = Array.from({ length: 16 }, () => [true, false]).flat();
  expect(after('create', now.slice(0, -1)).isGivenUp('create')).toBe(false);
  expect(after('create', now).isGivenUp('create')).toBe(true);
});

it('gives up a service that has answered nothing at all', () => {
  const silence = after('export', times(4, false), after('create', times(4, false)));
  expect(silence.isGivenUp('version')).toBe(true);
});
