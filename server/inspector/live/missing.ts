import type { LiveEvent } from './live-batch.ts';

/** How many batches are not told; null: nobody knows. */
export type Missing = number | null;

export function plus(one: Missing, other: Missing): Missing {
  return one === null || other === null ? null : one + other;
}

/** How many batches an event stands for. */
export function countBatches(event: LiveEvent): Missing {
  return event.type === 'batch' ? 1 : event.batches;
}
