import { joinKey } from './delivery.ts';
import type { ExistingShapes } from './existing-shapes.ts';
import { ENVIRONMENTS } from '../limits.ts';
import { placeEventKey, sourceShapeKey } from '../place-keys.ts';
import { entry } from '../rows.ts';
import type { Shape } from '../shape.ts';
import type { EventTotalRow, PlaceColumns } from '../tables.ts';

/** What a row of `event_totals` gets that is new. */
export interface NewTotal extends Pick<EventTotalRow, 'environment' | 'event_key' | 'source'> {
  versions: [appVersion: string, firstSeen: number][];
  shapes: number;
  seenAt: number;
}

/** Finds the app versions and shapes that are new for an event, in an environment or in all of them. */
export class NewTotals {
  /** By the key of the row. */
  readonly rows = new Map<string, NewTotal>();
  readonly #known: Pick<ExistingShapes, 'placeEvents' | 'sourceShapes'>;
  readonly #placeEvents = new Set<string>();
  readonly #sourceShapes = new Set<string>();

  constructor(known: Pick<ExistingShapes, 'placeEvents' | 'sourceShapes'>) {
    this.#known = known;
  }

  /** Whether the place has not had the event. */
  isNewIn(place: PlaceColumns, { eventKey }: Pick<Shape, 'eventKey'>): boolean {
    const key = placeEventKey(place, eventKey);
    return !this.#known.placeEvents.has(key) && !this.#placeEvents.has(key);
  }

  /** @param isNewVersion whether the source has had no event of the app version */
  add(place: PlaceColumns, shape: Shape, seenAt: number, isNewVersion: boolean): void {
    const { source, environment } = place;
    const version: NewTotal['versions'][number] = [place.app_version, seenAt];
    if (isNewVersion) this.#row('', '', source, seenAt).versions.push(version);
    if (this.isNewIn(place, shape)) {
      const isFirst = ENVIRONMENTS.every((one) => this.isNewIn({ ...place, environment: one }, shape));
      this.#row(environment, shape.eventKey, source, seenAt).versions.push(version);
      if (isFirst) this.#row('', shape.eventKey, source, seenAt).versions.push(version);
      this.#placeEvents.add(placeEventKey(place, shape.eventKey));
    }
    if (this.#isNewShapeIn(place, shape)) {
      const isFirst = ENVIRONMENTS.every((one) => this.#isNewShapeIn({ source, environment: one }, shape));
      this.#row(environment, shape.eventKey, source, seenAt).shapes += 1;
      if (isFirst) this.#row('', shape.eventKey, source, seenAt).shapes += 1;
      this.#sourceShapes.add(sourceShapeKey(place, shape.id));
    }
  }

  #isNewShapeIn(place: Pick<PlaceColumns, 'source' | 'environment'>, shape: Shape): boolean {
    const key = sourceShapeKey(place, shape.id);
    return !this.#known.sourceShapes.has(key) && !this.#sourceShapes.has(key);
  }

  #row(environment: NewTotal['environment'], event_key: string, source: string, seenAt: number): NewTotal {
    const key = joinKey(environment, event_key, source);
    return entry(this.rows, key, () => ({ environment, event_key, source, versions: [], shapes: 0, seenAt }));
  }
}
