import type { IsRecorded } from './delivery.ts';
import type { ValidEvent } from './event-validator.ts';
import type { PlaceColumns } from '../tables.ts';

/**
 * What a shape weighs that may be new in its place. Its keys go into some twenty b-trees, and in a transaction of fifty such
 * events each takes as long as twenty known ones: their pages are hardly ever the same.
 */
const NEW_SHAPE = 20;

/** So many bytes of texts, which go into rows and keys, weigh as much as a known event. */
const BYTES = 64;

/**
 * Weighs the events of a delivery, which it is told in their order, by what a transaction does for each. One that is known to be
 * recorded in the place weighs 1, since it is only counted. One that may be new weighs as much besides as its rows and their
 * texts; sent again in the same delivery, only as much as to look whether there is room for each of its properties.
 */
export function weighEvents(place: PlaceColumns, isRecorded: IsRecorded): (event: ValidEvent) => number {
  const placeBytes = Buffer.byteLength(place.source) + Buffer.byteLength(place.app_version);
  const weighed = new Set<string>();
  return ({ shape: { id, eventName, properties, pathCharacters } }) => {
    if (isRecorded(id)) return 1;
    if (weighed.has(id)) return 1 + properties;
    weighed.add(id);
    const bytes = placeBytes + Buffer.byteLength(eventName) + pathCharacters;
    return NEW_SHAPE + properties + Math.floor(bytes / BYTES);
  };
}
