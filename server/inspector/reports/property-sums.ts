import { boundedKey } from '../keys.ts';
import { propertyTypes } from '../property-types.ts';
import { entry } from '../rows.ts';
import { parseSchema } from '../stored-schema.ts';
import type { CountColumns, SourceShapeRow } from '../tables.ts';

/** A shape in a source and environment, with its count there. */
export interface CountedShape extends CountColumns, Pick<SourceShapeRow, 'shape_id' | 'source' | 'environment'> {
  schema: string;
}

type Place = Pick<SourceShapeRow, 'source' | 'environment'>;

export interface TypeCounts {
  /** As text. */
  type: string;
  count: number;
  places: Place[];
}

export interface PropertyCounts extends CountColumns {
  path: readonly string[];
  /** `boundedKey` of the path as JSON. */
  pathKey: string;
  /** The same without the closing bracket, so that an object comes before its properties. */
  orderKey: string;
  /** Most frequent first. */
  types: TypeCounts[];
}

interface Sum extends Omit<PropertyCounts, 'types'> {
  types: Map<string, TypeCounts>;
}

/** Sums up shapes by their properties: of those after an order key, the first ones, however many there are. */
export class PropertySums {
  /** The number of events. */
  count = 0;
  readonly #after: string;
  readonly #most: number;
  readonly #sums = new Map<string, Sum>();
  /** Properties beyond this key are not among the first ones; undefined: not known yet. */
  #last: string | undefined;

  constructor({ after, most }: { after: string; most: number }) {
    this.#after = after;
    this.#most = most;
  }

  add({ schema, source, environment, count, first_seen, last_seen }: CountedShape): void {
    this.count += count;
    const parsed = parseSchema(schema);
    const counted = new Set<string>();
    for (const { path, text, type } of propertyTypes(parsed)) {
      const orderKey = boundedKey(text.slice(0, -1));
      if (orderKey <= this.#after || (this.#last !== undefined && orderKey > this.#last)) continue;
      const sum = entry(this.#sums, text, () => newSum(path, { pathKey: boundedKey(text), orderKey }));
      const ofType = entry(sum.types, type, () => ({ type, count: 0, places: [] }));
      ofType.count += count;
      if (!ofType.places.some((place) => place.source === source && place.environment === environment)) {
        ofType.places.push({ source, environment });
      }
      // Among a list's elements it may have several types.
      if (!counted.has(text)) sum.count += count;
      counted.add(text);
      sum.first_seen = Math.min(sum.first_seen, first_seen);
      sum.last_seen = Math.max(sum.last_seen, last_seen);
    }
    if (this.#sums.size > 2 * this.#most) this.#dropLast();
  }

  /** What is dropped never comes back, since what is before it stays. */
  #dropLast(): void {
    const inOrder = [...this.#sums].toSorted(([, a], [, b]) => (a.orderKey < b.orderKey ? -1 : 1));
    this.#last = inOrder[this.#most - 1]?.[1].orderKey;
    for (const [text] of inOrder.slice(this.#most)) this.#sums.delete(text);
  }

  /** At least the first `most`, in the order of their order keys. */
  properties(): PropertyCounts[] {
    return Array.from(this.#sums.values(), ({ types, ...sum }) => ({
      ...sum,
      types: [...types.values()].toSorted((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1)),
    })).toSorted((a, b) => (a.orderKey < b.orderKey ? -1 : 1));
  }
}

function newSum(path: readonly string[], keys: Pick<Sum, 'pathKey' | 'orderKey'>): Sum {
  return { path, ...keys, count: 0, first_seen: Infinity, last_seen: -Infinity, types: new Map() };
}
