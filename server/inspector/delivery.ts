import type { SoundEvent } from './judge.ts';
import type { PlaceColumns } from './tables.ts';

/** A judged batch, on its way into the database. */
export interface Delivery {
  /** Where its events were seen. */
  place: PlaceColumns;
  /** A UUID in lower case. */
  batchId: string;
  /** Digest of all that decides the outcome of its events. */
  digest: string;
  receivedAt: number;
  events: readonly SoundEvent[];
}

/** Names what the columns name, as the key of a map or set. No column holds U+0000. */
export function joined(...columns: readonly string[]): string {
  return columns.join('\0');
}
