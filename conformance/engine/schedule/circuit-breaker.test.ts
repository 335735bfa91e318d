import { expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';

function after(operation: string, answered: readonly boolean[], circuit = new CircuitBreaker()): CircuitBreaker {
  for (const one of answered) circuit.record(operation, one);
  return circuit;
}

const times = (count: number, answered: boolean): boolean[] => Array<boolean>(count).fill(answered);

it('gives an operation up that has never answered, and no other', () => {
  const circuit = after('export', times(4, false), after('create', [true]));
  expect(circuit.isOpen('export')).toBe(true);
  expect(circuit.isOpen('create')).toBe(false);
});

it('has more patience with one that answers now and then, but not without end', () => {
  const now = Array.from({ length: 16 }, () => [true, false]).flat();
  expect(after('create', now.slice(0, -1)).isOpen('create')).toBe(false);
  expect(after('create', now).isOpen('create')).toBe(true);
});

it('gives up a service that has answered nothing at all', () => {
  const circuit = after('export', times(4, false), after('create', times(4, false)));
  expect(circuit.isOpen('version')).toBe(true);
});
