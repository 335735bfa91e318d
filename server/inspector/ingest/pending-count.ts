import { joinKey } from './delivery.ts';
import { HOUR_MS } from '../hours.ts';
import { versionKey } from '../place-keys.ts';
import { entry } from '../rows.ts';
import type { CountColumns, ObservedShapeRow, PlaceColumns } from '../tables.ts';

type Place = Omit<PlaceColumns, 'workspace_id'>;

/** How often a shape was accepted in a place within one hour. */
export interface PendingCount extends Place, CountColumns {
  event_key: string;
  shape_id: string;
}

/** What was accepted in a place within one hour, as it is written: short, since all that is accepted is written so once. */
interface PendingPlace extends Place {
  /** Since 1970. */
  hour: number;
  /** The first one in milliseconds since the hour began, the last one since the first. */
  counts: [eventKey: string, shapeId: string, count: number, first: number, last: number][];
}

/** @param hour since 1970 */
export function pendingIn(hour: number, rows: Iterable<ObservedShapeRow>): PendingPlace[] {
  const places = new Map<string, PendingPlace>();
  for (const row of rows) {
    const { source, app_version, environment, event_key, shape_id, count, first_seen, last_seen } = row;
    const key = joinKey(versionKey(row), environment);
    const place = entry(places, key, () => ({ source, app_version, environment, hour, counts: [] }));
    place.counts.push([event_key, shape_id, count, first_seen - hour * HOUR_MS, last_seen - first_seen]);
  }
  return [...places.values()];
}

/** Sums what was written up to one count for each shape, place and hour. */
export function sumPending(written: readonly string[]): PendingCount[] {
  const places = new Map<string, Map<string, PendingCount>>();
  for (const text of written) {
    const pending: PendingPlace[] = JSON.parse(text);
    for (const { source, app_version, environment, hour, counts } of pending) {
      const placeKey = joinKey(source, app_version, environment, String(hour));
      const place = entry(places, placeKey, () => new Map<string, PendingCount>());
      for (const [event_key, shape_id, count, first, last] of counts) {
        const first_seen = hour * HOUR_MS + first;
        const sum = entry(place, shape_id, () => ({
          source,
          app_version,
          environment,
          event_key,
          shape_id,
          count: 0,
          first_seen,
          last_seen: first_seen,
        }));
        sum.count += count;
        sum.first_seen = Math.min(sum.first_seen, first_seen);
        sum.last_seen = Math.max(sum.last_seen, first_seen + last);
      }
    }
  }
  return [...places.values()].flatMap((place) => [...place.values()]);
}
