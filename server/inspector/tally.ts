import { type Delivery, joined } from './delivery.ts';
import type { RefusedEvent } from './judge.ts';
import { type FreshMessages, messageKey } from './messages.ts';
import { entry } from './rows.ts';
import type { Shape } from './shape.ts';
import type { ObservedEventRow, ObservedShapeRow, PlaceColumns, ShapeTotalRow } from './tables.ts';

/** What became of a delivery's events; the rest of them were accepted. */
export interface Outcome {
  duplicates: number;
  /** Those past the limit on shapes. They are not remembered: sent again, they are judged anew. */
  refused: RefusedEvent[];
}

/** What the database knew before. */
export interface Known {
  /** The rows of `observed_shapes`, by {@link rowKey}. */
  rows: ReadonlySet<string>;
  /** Shapes that their version of the app has in whatever environment, by {@link shapeKey}. */
  shapes: ReadonlySet<string>;
  /** How many further shapes a version of an app may have, by {@link releaseKey}; only for those that bring new ones. */
  room: ReadonlyMap<string, number>;
}

/** Names one version of an app. */
export function releaseKey({ workspace_id, source, app_version }: Omit<PlaceColumns, 'environment'>): string {
  return joined(workspace_id, source, app_version);
}

/** Names a shape in one version of an app. */
export function shapeKey(place: PlaceColumns, shapeId: string): string {
  return joined(releaseKey(place), shapeId);
}

/** Names a shape in one environment of one version of an app. */
export function rowKey(place: PlaceColumns, shapeId: string): string {
  return joined(releaseKey(place), place.environment, shapeId);
}

/**
 * Counts the events of a group's deliveries, one after the other as if each came alone, into the rows that are to be added to
 * the database.
 */
export class Tally {
  /** Rows of `observed_shapes`, by {@link rowKey}. */
  readonly shapes = new Map<string, ObservedShapeRow>();
  /** Those of them that are not in the database yet. */
  readonly newShapes: ObservedShapeRow[] = [];
  /** Rows of `observed_events`. */
  readonly events = new Map<string, ObservedEventRow>();
  /** Rows of `shape_totals`, by {@link releaseKey}. */
  readonly totals = new Map<string, ShapeTotalRow>();
  /** Messages that have not been counted. In the end: those that were refused each time they came. */
  readonly uncounted: FreshMessages;
  readonly #known: Known;
  readonly #maxShapes: number;
  readonly #admitted = new Set<string>();

  constructor(fresh: FreshMessages, known: Known, maxShapes: number) {
    this.uncounted = new Map(fresh);
    this.#known = known;
    this.#maxShapes = maxShapes;
  }

  count(delivery: Delivery): Outcome {
    const outcome: Outcome = { duplicates: 0, refused: [] };
    for (const event of delivery.events) {
      const message = messageKey(delivery, event);
      if (!this.uncounted.has(message)) outcome.duplicates += 1;
      else if (this.#admits(delivery.place, event.shape)) {
        this.uncounted.delete(message);
        this.#add(delivery, event.shape);
      } else outcome.refused.push({ index: event.index, messageId: event.messageId, reason: this.#tooManyShapes() });
    }
    return outcome;
  }

  #admits(place: PlaceColumns, shape: Shape): boolean {
    const key = shapeKey(place, shape.id);
    if (this.#known.shapes.has(key) || this.#admitted.has(key)) return true;
    const release = releaseKey(place);
    const { workspace_id, source, app_version } = place;
    const total = this.totals.get(release) ?? { workspace_id, source, app_version, shapes: 0 };
    if (total.shapes >= (this.#known.room.get(release) ?? 0)) return false;
    this.totals.set(release, { ...total, shapes: total.shapes + 1 });
    this.#admitted.add(key);
    return true;
  }

  #add({ place, receivedAt }: Delivery, shape: Shape): void {
    const event = entry(this.events, joined(releaseKey(place), place.environment, shape.eventKey), () => ({
      ...place,
      event_key: shape.eventKey,
      event_name: shape.eventName,
      shapes: 0,
      ...notSeen,
    }));
    const key = rowKey(place, shape.id);
    const row = entry(this.shapes, key, () => ({
      ...place,
      event_key: shape.eventKey,
      event_name: shape.eventName,
      shape_id: shape.id,
      schema: shape.schema,
      ...notSeen,
    }));
    if (row.count === 0 && !this.#known.rows.has(key)) {
      this.newShapes.push(row);
      event.shapes += 1;
    }
    see(event, receivedAt);
    see(row, receivedAt);
  }

  #tooManyShapes(): string {
    return (
      `The event has a new shape, and this version of the app has ${this.#maxShapes} shapes already, the most that are kept. ` +
      'Look for names of events or properties that are made at run time, such as ids, and give them fixed names.'
    );
  }
}

const notSeen = { count: 0, first_seen: Infinity, last_seen: -Infinity };

function see(row: typeof notSeen, at: number): void {
  row.count += 1;
  row.first_seen = Math.min(row.first_seen, at);
  row.last_seen = Math.max(row.last_seen, at);
}
