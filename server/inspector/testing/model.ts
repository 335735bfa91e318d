import type { EventReport } from '../event-schema.ts';
import type { Batch, BatchReceipt } from '../ingest/ingest.ts';
import { propertyTypes } from '../property-types.ts';
import { deriveShape } from '../shape.ts';

type Place = Pick<Sighting, 'source' | 'environment' | 'appVersion'>;

interface Sighting {
  source: string;
  environment: Batch['environment'];
  appVersion: string;
  event: EventReport;
  shapeId: string;
}

/**
 * What ingest promises, said as simply as possible: batches come one after the other, each event is looked at by itself, and
 * everything is kept in memory.
 */
export class IngestModel {
  readonly accepted: Sighting[] = [];
  readonly #maxShapes: number;
  readonly #isBad: (event: EventReport) => boolean;
  readonly #seen = new Set<string>();

  constructor(maxShapes: number, isBad: (event: EventReport) => boolean) {
    this.#maxShapes = maxShapes;
    this.#isBad = isBad;
  }

  take(
    source: string,
    { app, environment, events }: Omit<Batch, 'events'> & { events: EventReport[] },
  ): Pick<BatchReceipt, 'accepted' | 'duplicates'> & { rejected: number[] } {
    const place = { source, environment, appVersion: app.version };
    const receipt = { accepted: 0, duplicates: 0, rejected: [] as number[] };
    for (const [index, event] of events.entries()) {
      const message = `${source} ${event.messageId.toLowerCase()}`;
      if (this.#isBad(event)) receipt.rejected.push(index);
      else if (this.#seen.has(message)) receipt.duplicates += 1;
      else if (this.#hasRoom(place, event)) {
        this.#seen.add(message);
        this.accepted.push({ ...place, event, shapeId: deriveShape(event.eventName, event.schema).id });
        receipt.accepted += 1;
      } else receipt.rejected.push(index);
    }
    return receipt;
  }

  #hasRoom({ source, appVersion }: Place, event: EventReport): boolean {
    const shapes = this.accepted.filter((one) => one.source === source && one.appVersion === appVersion);
    const known = new Set(shapes.map(({ shapeId }) => shapeId));
    return known.size < this.#maxShapes || known.has(deriveShape(event.eventName, event.schema).id);
  }

  /** How often each shape was accepted in each place. */
  shapes(): Record<string, number> {
    return countKeys(this.accepted.map((one) => name(one, one.event.eventName, one.shapeId)));
  }

  /** How often each event was accepted in each place. */
  events(): Record<string, number> {
    return countKeys(this.accepted.map((one) => name(one, one.event.eventName)));
  }

  /**
   * The types of every property that has several among the shapes that a filter leaves, with the number of shapes, each counted
   * once for a source and environment.
   */
  conflicts(passes: (place: Place) => boolean): Record<string, Record<string, number>> {
    const shapes = new Map(
      this.accepted.filter(passes).map((one) => [[one.source, one.environment, one.shapeId].join(' '), one]),
    );
    const types = [...shapes.values()].flatMap(({ event }) =>
      propertyTypes(event.schema).map(({ path, type }) => ({
        property: JSON.stringify([event.eventName, path]),
        type,
      })),
    );
    const byProperty = Object.entries(Object.groupBy(types, ({ property }) => property));
    const all = byProperty.map(([property, seen = []]) => [property, countKeys(seen.map(({ type }) => type))] as const);
    return Object.fromEntries(all.filter(([, seen]) => Object.keys(seen).length > 1));
  }
}

export function name({ source, environment, appVersion }: Place, ...rest: string[]): string {
  return [source, environment, appVersion, ...rest].join(' ');
}

function countKeys(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
