import type { LiveEvent } from './live-batch.ts';

/** The number of missing batches; null: unknown. */
export type Missing = number | null;

export function plus(one: Missing, other: Missing): Missing {
  return one === null || other === null ? null : one + other;
}

/** Returns the number of batches that an event represents. */
export function countBatches(event: LiveEvent): Missing {
  return event.type === 'batch' ? 1 : event.batches;
}
