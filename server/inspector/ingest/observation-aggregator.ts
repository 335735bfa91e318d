import { type Budget, shareBudget, budgetReason, findExceeded, NOTHING, type Novelty, addNovelty } from '../budget.ts';
import type { Delivery, IsRecorded } from './delivery.ts';
import type { RefusedEvent } from './event-validator.ts';
import type { ExistingShapes } from './existing-shapes.ts';
import { type Bound, type Kept, News } from '../issues/news.ts';
import type { FreshMessages, Message } from './seen-messages.ts';
import { NewTotals } from './new-totals.ts';
import { AcceptedCounts } from './pending-count.ts';
import { placeShapeKey, sourceShapeKey, typeKey, versionKey, versionShapeKey } from '../place-keys.ts';
import { type PropertyKey, derivePropertyKeys } from '../property-keys.ts';
import { entry } from '../rows.ts';
import type { Shape } from '../shape.ts';
import type { AppVersionRow, PlaceColumns } from '../tables.ts';
import { listHolders, SOURCE } from './usage.ts';

/** What became of a delivery's events; the rest of them were accepted. */
export interface DeliveryOutcome {
  duplicates: number;
  /** Those past a limit. They are not remembered: sent again, they are judged anew. */
  refused: RefusedEvent[];
  /** How many were refused for want of a budget, by its measure. */
  pastBudget: Partial<Record<Bound, number>>;
}

/** Bounds on what is new. */
export interface NoveltyLimits {
  /** The most distinct shapes of one version of an app. */
  versionShapes: number;
  /** What a workspace may have in all. */
  budget: Budget;
}

/** A shape that is new somewhere. */
export interface NewShape {
  place: PlaceColumns;
  shape: Shape;
  /** When it was first received there. */
  seenAt: number;
}

/** Indexes and the engine's own need, for each row. */
const ROW_BYTES = 60;

/** `observed_shapes` stands in this many orders. */
const ORDERS = 6;

/** `source_shapes` stands in this many orders. */
const SOURCE_ORDERS = 2;

/** `event_totals` has one row for the environment and one for all of them, in two orders each. */
const TOTALS = 4;

/**
 * Counts the events of a workspace's deliveries, one after the other as if each came alone, into the rows that are to be added
 * to the database.
 */
export class ObservationAggregator {
  /** Rows of `app_versions` to be added to, by {@link versionKey}. */
  readonly versions = new Map<string, AppVersionRow>();
  /** Shapes whose event name is new in the workspace, by the name's key. */
  readonly newEventNames = new Map<string, Shape>();
  /** Shapes that are new in the workspace, by id. */
  readonly newShapes = new Map<string, Shape>();
  /** Shapes that are new in a source and environment, by {@link sourceShapeKey}. */
  readonly newSourceShapes = new Map<string, NewShape>();
  /** App versions and shapes that are new in rows of `event_totals`. */
  readonly newTotals: NewTotals;
  /** Shapes that are new in a place, by {@link placeShapeKey}. */
  readonly newPlaceShapes = new Map<string, NewShape>();
  /** What was accepted. */
  readonly accepted = new AcceptedCounts();
  /** {@link typeKey}s of types that their property did not have in the source and environment. */
  readonly newTypes = new Set<string>();
  /** What may have issues. */
  readonly news = new News();
  /** What is brought, by holder. */
  readonly brought = new Map<string, Novelty>();
  readonly #fresh: FreshMessages;
  readonly #counted = new Set<Message>();
  readonly #known: ExistingShapes;
  readonly #limits: NoveltyLimits;
  readonly #recordedIn: (place: PlaceColumns) => IsRecorded;
  readonly #newVersionShapes = new Set<string>();

  constructor(
    fresh: FreshMessages,
    known: ExistingShapes,
    recordedIn: (place: PlaceColumns) => IsRecorded,
    limits: NoveltyLimits,
  ) {
    this.#fresh = fresh;
    this.#known = known;
    this.#recordedIn = recordedIn;
    this.#limits = limits;
    this.newTotals = new NewTotals(known);
  }

  count(delivery: Delivery): DeliveryOutcome {
    const outcome: DeliveryOutcome = { duplicates: 0, refused: [], pastBudget: {} };
    const accepted = this.accepted.in(delivery.place, delivery.receivedAt);
    for (const event of delivery.events) {
      const message = this.#fresh.get(event);
      if (message === undefined || this.#counted.has(message)) {
        outcome.duplicates += 1;
        continue;
      }
      const refusal = accepted.shapes.has(event.shape.id) ? undefined : this.#admit(delivery, event.shape);
      if (refusal === undefined) {
        this.#counted.add(message);
        accepted.add(event.shape, delivery.receivedAt);
        continue;
      }
      const [measure, reason] = refusal;
      this.news.addRefusal(delivery.place, measure, delivery.receivedAt, this.#keptOf(delivery.place));
      outcome.refused.push({ index: event.index, messageId: event.messageId, reason });
      outcome.pastBudget[measure] = (outcome.pastBudget[measure] ?? 0) + 1;
    }
    return outcome;
  }

  /** Messages that were refused each time they came. */
  uncounted(): ReadonlySet<Message> {
    return new Set(this.#fresh.values()).difference(this.#counted);
  }

  /** The holders that bring something for the first time. */
  newHolders(): string[] {
    return [...this.brought.keys()].filter((name) => !this.#known.usage.has(name));
  }

  /** Takes the shape into the place, or says what there is no room for. */
  #admit({ place, keyId, receivedAt }: Delivery, shape: Shape): [Bound, reason: string] | undefined {
    if (this.#isKnownIn(place, shape)) return undefined;
    const version = versionKey(place);
    const isNewInVersion = !this.#hasVersionShape(place, shape);
    const shapes = (this.#known.versions.get(version) ?? 0) + (this.versions.get(version)?.shapes ?? 0);
    if (isNewInVersion && shapes >= this.#limits.versionShapes) {
      return ['versionShapes', tooManyShapes(this.#limits.versionShapes)];
    }
    const types = this.#newTypesOf(place, shape);
    const comes = this.#noveltyOf(place, shape, types);
    const holders = listHolders(place.source, keyId);
    for (const { kind, name } of holders) {
      const used = addNovelty(this.#known.usage.get(name) ?? NOTHING, this.brought.get(name) ?? NOTHING);
      const measure = findExceeded(used, comes, shareBudget(kind, this.#limits.budget));
      if (measure !== undefined) return [measure, budgetReason(kind, measure, this.#limits.budget)];
    }
    for (const { name } of holders) this.brought.set(name, addNovelty(this.brought.get(name) ?? NOTHING, comes));
    this.#take(place, shape, { types, isNewInVersion, receivedAt });
    return undefined;
  }

  #isKnownIn(place: PlaceColumns, shape: Shape): boolean {
    const key = placeShapeKey(place, shape.id);
    return this.newPlaceShapes.has(key) || this.#known.placeShapes.has(key) || this.#recordedIn(place)(shape.id);
  }

  #hasVersionShape(place: PlaceColumns, shape: Shape): boolean {
    const key = versionShapeKey(place, shape.id);
    return this.#known.versionShapes.has(key) || this.#newVersionShapes.has(key);
  }

  #noveltyOf(place: PlaceColumns, shape: Shape, types: readonly PropertyKey[]): Novelty {
    const isNew = this.#isNewShape(shape);
    const nameBytes = Buffer.byteLength(shape.eventName);
    const keyBytes = Buffer.byteLength(shape.eventKey);
    const placeBytes = Buffer.byteLength(place.source) + Buffer.byteLength(place.app_version);
    return {
      appVersions: this.#hasVersion(place) ? 0 : 1,
      eventNames: this.#isNewEventName(shape) ? 1 : 0,
      shapes: isNew ? 1 : 0,
      properties: types.length,
      bytes:
        ORDERS * (ROW_BYTES + shape.id.length + keyBytes + placeBytes) +
        // The row of the event has it too; with several shapes of one event that is more than there is, never less.
        2 * nameBytes +
        (this.newTotals.isNewIn(place, shape) ? TOTALS * (ROW_BYTES + keyBytes + placeBytes) : 0) +
        (this.#isNewInSource(place, shape)
          ? SOURCE_ORDERS * (ROW_BYTES + shape.id.length + keyBytes + placeBytes)
          : 0) +
        (isNew ? ROW_BYTES + Buffer.byteLength(shape.schema) + nameBytes : 0) +
        types.reduce(
          (sum, { path, pathKey }) =>
            // A type, a property, and its name among its variants.
            sum + 3 * (ROW_BYTES + keyBytes + Buffer.byteLength(pathKey)) + 2 * Buffer.byteLength(path),
          0,
        ),
    };
  }

  #take(
    place: PlaceColumns,
    shape: Shape,
    {
      types,
      isNewInVersion,
      receivedAt,
    }: { types: readonly PropertyKey[]; isNewInVersion: boolean; receivedAt: number },
  ): void {
    const { workspace_id, source, app_version } = place;
    this.newPlaceShapes.set(placeShapeKey(place, shape.id), { place, shape, seenAt: receivedAt });
    const isNewVersion = !this.#hasVersion(place);
    const version = entry(this.versions, versionKey(place), () => ({ workspace_id, source, app_version, shapes: 0 }));
    if (isNewInVersion) version.shapes += 1;
    this.#newVersionShapes.add(versionShapeKey(place, shape.id));
    if (this.#isNewEventName(shape)) this.newEventNames.set(shape.eventKey, shape);
    if (this.#isNewShape(shape)) this.newShapes.set(shape.id, shape);
    for (const property of types) this.newTypes.add(typeKey(shape, property, place));
    this.newTotals.add(place, shape, receivedAt, isNewVersion);
    const isNewInSource = this.#isNewInSource(place, shape);
    this.news.addShape(place, shape, receivedAt, isNewInSource);
    if (isNewInSource) {
      this.newSourceShapes.set(sourceShapeKey(place, shape.id), { place, shape, seenAt: receivedAt });
    }
  }

  #hasVersion(place: PlaceColumns): boolean {
    const key = versionKey(place);
    return this.#known.versions.has(key) || this.versions.has(key);
  }

  #keptOf(place: PlaceColumns): Kept {
    if (this.#hasVersion(place)) return 'version';
    const source = SOURCE + place.source;
    return this.#known.usage.has(source) || this.brought.has(source) ? 'source' : 'nothing';
  }

  #isNewEventName({ eventKey }: Shape): boolean {
    return !this.#known.eventNames.has(eventKey) && !this.newEventNames.has(eventKey);
  }

  #isNewShape({ id }: Shape): boolean {
    return !this.#known.shapes.has(id) && !this.newShapes.has(id);
  }

  #isNewInSource(place: PlaceColumns, shape: Shape): boolean {
    const key = sourceShapeKey(place, shape.id);
    return !this.#known.sourceShapes.has(key) && !this.newSourceShapes.has(key);
  }

  /** A shape that is known in its source and environment has no new types there. */
  #newTypesOf(place: PlaceColumns, shape: Shape): readonly PropertyKey[] {
    if (!this.#isNewInSource(place, shape)) return [];
    return derivePropertyKeys(shape).filter((property) => {
      const key = typeKey(shape, property, place);
      return !this.#known.types.has(key) && !this.newTypes.has(key);
    });
  }
}

function tooManyShapes(most: number): string {
  return (
    `The event has a new shape, and this version of the app has ${most} shapes already, the most that are kept. ` +
    'Look for names of events or properties that are made at run time, such as ids, and give them fixed names.'
  );
}
