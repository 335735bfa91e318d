import type { components } from '../../generated/types.ts';
import { MAX_PLACES_NAMED, MAX_TYPES_NAMED } from '../limits.ts';
import type { ObservedTypeRow } from '../tables.ts';

/** A type of a property, with its number of shapes and where it was seen. */
export type TypeInPlaces = components['schemas']['ConflictingType'];

/** A type of a property in one source and environment. */
export type Sighting = Pick<ObservedTypeRow, 'type' | 'source' | 'environment' | 'first_version' | 'shapes'>;

/** Adds a sighting to its type. Those of a type come by source, then environment; only the first places are named. */
export function addSighting(
  type: TypeInPlaces,
  { source, environment, first_version, shapes }: Omit<Sighting, 'type'>,
): void {
  type.shapes += shapes;
  const last = type.seenIn.at(-1);
  if (type.seenIn.length === MAX_PLACES_NAMED || (last?.source === source && last.environment === environment)) return;
  type.seenIn.push({ source, environment, appVersion: first_version });
}

/** The most frequent of a property's types, however many it has. */
export class FrequentTypes {
  readonly #named: TypeInPlaces[] = [];
  #count = 0;

  /** @param type one that was not added yet, with all its sightings */
  add(type: TypeInPlaces): void {
    this.#count += 1;
    const before = this.#named.findLastIndex((other) => compare(other, type) < 0);
    this.#named.splice(before + 1, 0, type);
    if (this.#named.length > MAX_TYPES_NAMED) this.#named.pop();
  }

  /** How many types were added. */
  get count(): number {
    return this.#count;
  }

  /** Those with the most shapes, the most first. */
  get named(): TypeInPlaces[] {
    return this.#named;
  }
}

function compare(a: TypeInPlaces, b: TypeInPlaces): number {
  return b.shapes - a.shapes || (a.type < b.type ? -1 : 1);
}
