import { deleteBefore } from '../../storage/delete-before.ts';
import type { Storage } from '../../storage/storage.ts';
import { expiredTables, type ForgottenSpan } from '../ingest/message-slots.ts';

/**
 * Deletes messages by the table: those that clients observed within the same 3 days are deleted together. If one of them is sent
 * again later, it counts again. Each turn of the iterator is one short step.
 */
export async function* forgetMessages(storage: Storage, span: ForgottenSpan): AsyncGenerator<void> {
  for (const table of expiredTables(span)) yield* storage.empty(table);
}

/**
 * Deletes the batches received before a time. If one of them is sent again, each of its events is checked on its own. Each turn of the
 * iterator is one short step.
 */
export function forgetBatches(storage: Storage, before: number): AsyncGenerator<void> {
  return deleteBefore(storage, { table: 'seen_batches', column: 'seen_at', before });
}
