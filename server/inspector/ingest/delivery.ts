import type { ValidEvent } from './event-validator.ts';
import type { PlaceColumns } from '../tables.ts';

/** A judged batch or a part of a large one, on its way into the database. */
export interface Delivery {
  /** Where its events were seen. */
  place: PlaceColumns;
  /** The API key that it came with. */
  keyId: string;
  /** What tells whether just this was delivered before; left out for parts, of which only the messages tell. */
  batch?: BatchMark;
  receivedAt: number;
  events: readonly ValidEvent[];
  /** How much of a transaction it takes. */
  weight: number;
}

/** Whether a shape, by its id, is known to be recorded in some place. */
export type IsRecorded = (shapeId: string) => boolean;

/** Names a batch by all that decides the outcome of its events. */
export interface BatchMark {
  /** The 16 bytes of its UUID. */
  batchId: Uint8Array;
  /** SHA-256 of the rest. */
  digest: Uint8Array;
}

/** Names what the columns name, as the key of a map or set. No column holds U+0000. */
export function joinKey(...columns: readonly string[]): string {
  return columns.join('\0');
}
