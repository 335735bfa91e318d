import { joinKey } from './delivery.ts';
import { listOf, parseStored, withFields } from '../../storage/stored-json.ts';
import { HOUR_MS } from '../hours.ts';
import { versionKey } from '../place-keys.ts';
import { entry } from '../rows.ts';
import type { Shape } from '../shape.ts';
import type { CountColumns, PlaceColumns } from '../tables.ts';

type Place = Omit<PlaceColumns, 'workspace_id'>;

/** How often a shape was accepted in a place within one hour. */
export interface PendingCount extends Place, CountColumns {
  event_key: string;
  shape_id: string;
  /** Whether `observed_events` and `observed_shapes` lack it. */
  addsToPlaces: boolean;
}

type WrittenCount = [eventKey: string, shapeId: string, count: number, first: number, last: number];

/** What was accepted in a place within one hour, as it is written: short, since all that is accepted is written so once. */
interface PendingPlace extends Place {
  /** Since 1970. */
  hour: number;
  /** The first one in milliseconds since the hour began, the last one since the first. */
  counts: WrittenCount[];
  /** Left out by versions that counted what they accepted in `observed_events` and `observed_shapes` at once. */
  addsToPlaces?: 1;
}

const isCounts = listOf(withFields<WrittenCount>({ 0: 'string', 1: 'string', 2: 'number', 3: 'number', 4: 'number' }));
const hasPlace = withFields<PendingPlace>({
  source: 'string',
  app_version: 'string',
  environment: 'string',
  hour: 'number',
});

const isPending = listOf((value): value is PendingPlace => hasPlace(value) && isCounts(value.counts));

interface ShapeCount extends CountColumns {
  eventKey: string;
}

/** Counts what is accepted in a place within one hour. */
export class AcceptedInPlace {
  readonly place: PlaceColumns;
  readonly hour: number;
  /** By the shapes' ids. */
  readonly shapes = new Map<string, ShapeCount>();

  constructor(place: PlaceColumns, hour: number) {
    this.place = place;
    this.hour = hour;
  }

  add({ id, eventKey }: Pick<Shape, 'id' | 'eventKey'>, at: number): void {
    const counted = this.shapes.get(id);
    if (counted === undefined) {
      this.shapes.set(id, { eventKey, count: 1, first_seen: at, last_seen: at });
      return;
    }
    counted.count += 1;
    counted.first_seen = Math.min(counted.first_seen, at);
    counted.last_seen = Math.max(counted.last_seen, at);
  }
}

/** Counts what is accepted in a workspace, by place and hour. */
export class AcceptedCounts {
  readonly #places = new Map<string, AcceptedInPlace>();

  in(place: PlaceColumns, at: number): AcceptedInPlace {
    const hour = Math.floor(at / HOUR_MS);
    const key = joinKey(versionKey(place), place.environment, String(hour));
    return entry(this.#places, key, () => new AcceptedInPlace(place, hour));
  }

  places(): AcceptedInPlace[] {
    return [...this.#places.values()].filter(({ shapes }) => shapes.size > 0);
  }
}

/** What is written of a place. */
export function toPendingPlace({ place, hour, shapes }: AcceptedInPlace): PendingPlace {
  const { source, app_version, environment } = place;
  const counts = Array.from(shapes, ([id, { eventKey, ...count }]) => toWritten(eventKey, id, hour, count));
  return { source, app_version, environment, hour, addsToPlaces: 1, counts };
}

/** What is written of counts that were written before. */
export function toPendingPlaces(counts: readonly PendingCount[]): PendingPlace[] {
  const places = new Map<string, PendingPlace>();
  for (const { source, app_version, environment, addsToPlaces, event_key, shape_id, ...count } of counts) {
    const hour = Math.floor(count.first_seen / HOUR_MS);
    const key = joinKey(source, app_version, environment, String(hour), String(addsToPlaces));
    const place = entry(places, key, () => ({
      source,
      app_version,
      environment,
      hour,
      ...(addsToPlaces && { addsToPlaces: 1 as const }),
      counts: [],
    }));
    place.counts.push(toWritten(event_key, shape_id, hour, count));
  }
  return [...places.values()];
}

function toWritten(eventKey: string, shapeId: string, hour: number, { count, first_seen, last_seen }: CountColumns) {
  return [eventKey, shapeId, count, first_seen - hour * HOUR_MS, last_seen - first_seen] satisfies WrittenCount;
}

/** Sums what was written up to one count for each shape, place and hour. */
export class PendingSums {
  readonly #places = new Map<string, Map<string, PendingCount>>();

  /**
   * @param text of one entry
   * @throws UnreadableValue
   */
  add(text: string): void {
    const pending = parseStored('pending_counts.counts', text, isPending);
    for (const { source, app_version, environment, hour, counts, addsToPlaces } of pending) {
      const placeKey = joinKey(source, app_version, environment, String(hour), String(addsToPlaces));
      const place = entry(this.#places, placeKey, () => new Map<string, PendingCount>());
      for (const [event_key, shape_id, count, first, last] of counts) {
        const first_seen = hour * HOUR_MS + first;
        const sum = entry(place, shape_id, () => ({
          source,
          app_version,
          environment,
          event_key,
          shape_id,
          addsToPlaces: addsToPlaces === 1,
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

  /** In the order in which they were first written. */
  counts(): PendingCount[] {
    return [...this.#places.values()].flatMap((place) => [...place.values()]);
  }
}
