import type { Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { AnotherLife } from '../../storage/database-lives.ts';
import { compileLiveLook, requireLive, requireLiveWorkspace } from '../../storage/live-workspace.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { executeLast, executeTogether } from '../../storage/together.ts';
import { compileBatches, compileSeenBatches, findResentBatches } from './seen-batches.ts';
import { type Delivery, type IsRecorded, joinKey } from './delivery.ts';
import { compileNews } from '../issues/news.ts';
import { listBroughtShapes, findExistingShapes } from './existing-shapes.ts';
import { type FreshMessages, compileDisowned, DeliveredMessages } from './seen-messages.ts';
import { compileNovelties } from './novelties.ts';
import { compileObservations } from './observations.ts';
import { settleMeanwhile } from './pending-counts.ts';
import { compilePendingCounts } from './pending-entries.ts';
import { placeShapeKey } from '../place-keys.ts';
import { compileForgotten, SourceNumbers, type UsedNumbers } from './source-numbers.ts';
import type { PlaceColumns } from '../tables.ts';
import { type NoveltyLimits, type DeliveryOutcome, ObservationAggregator } from './observation-aggregator.ts';

/** How many rows are remembered to be there, which saves looking them up. */
const REMEMBERED_ROWS = 50_000;

/** With `max` instead, a cache makes room for all of them at once, which takes a start some hundredths of a second. */
const GROWING = { maxSize: REMEMBERED_ROWS, sizeCalculation: () => 1 };

/** How many counts a process leaves pending in a workspace. */
const MOST_PENDING = 5_000;

/** How often a transaction is begun. More than the second time only if the database ends a life each time. */
const MOST_LIVES = 3;

/** Records what is delivered. One process has one. */
export class IngestTransaction {
  readonly #storage: Storage;
  readonly #limits: NoveltyLimits;
  readonly #sources = new SourceNumbers();
  /** Shapes in places that are committed: they stay as long as this life of the database. */
  readonly #recorded = new LRUCache<string, true>(GROWING);

  /** How many counts were left pending, by workspace. */
  readonly #pending = new LRUCache<string, number>(GROWING);

  constructor(storage: Storage, limits: NoveltyLimits) {
    this.#storage = storage;
    this.#limits = limits;
  }

  /** Tells of a shape whether it is known to be recorded in the place, so that counting it again costs little. */
  recordedIn(place: PlaceColumns): IsRecorded {
    return this.#recordedSince(this.#storage.lives.nameOf(place.workspace_id), place);
  }

  #recordedSince(life: string, place: PlaceColumns): IsRecorded {
    const begin = recordedKey(life, place, '');
    return (shapeId) => this.#recorded.get(begin + shapeId) === true;
  }

  /**
   * Records a group of deliveries of one workspace, with the same result as if they came one after the other.
   *
   * @returns the outcome of each, in the same order, once it is durable
   */
  async record(workspaceId: string, deliveries: readonly Delivery[]): Promise<DeliveryOutcome[]> {
    const { life, accepted, outcomes } = await this.#write(workspaceId, deliveries);
    let counts = 0;
    for (const { place, shapes } of accepted.places()) {
      for (const id of shapes.keys()) this.#recorded.set(recordedKey(life, place, id), true);
      counts += shapes.size;
    }
    this.#pending.set(workspaceId, (this.#pending.get(workspaceId) ?? 0) + counts);
    return deliveries.map((delivery) => outcomes.get(delivery) ?? resentOutcome(delivery));
  }

  /** A transaction that trusted what was remembered of an earlier life of the database is undone, and done anew without that. */
  async #write(workspaceId: string, deliveries: readonly Delivery[]) {
    for (let lives = 1; ; lives += 1) {
      try {
        return await this.#storage.write((tx) => this.#recordIn(tx, workspaceId, deliveries));
      } catch (error) {
        if (!(error instanceof AnotherLife) || lives === MOST_LIVES) throw error;
      }
    }
  }

  /**
   * Settles what is pending once it is much. What is durable is answered, whether or not this succeeds: it stays pending until the
   * next time, or until it is read.
   *
   * @param isWanted whether to go on
   */
  async settleSometimes(workspaceId: string, isWanted: () => boolean): Promise<void> {
    if ((this.#pending.get(workspaceId) ?? 0) < MOST_PENDING) return;
    this.#pending.set(workspaceId, 0);
    await settleMeanwhile(this.#storage, workspaceId, isWanted).catch(() => {});
  }

  async #recordIn(tx: Transaction<Tables>, workspaceId: string, deliveries: readonly Delivery[]) {
    const { lives } = this.#storage;
    const life = lives.nameOf(workspaceId);
    const { numbers, added } = await this.#sourceNumbers(tx, { workspaceId, life, deliveries });
    const messages = new DeliveredMessages(deliveries, numbers);
    const [live, seen, ...inserted] = await executeTogether(tx, [
      compileLiveLook(tx, workspaceId),
      compileSeenBatches(tx, workspaceId, deliveries, numbers),
      ...messages.compile(tx),
    ]);
    lives.require(workspaceId, life, requireLive(workspaceId, live));
    const fresh = messages.findFresh(inserted);
    const resent = findResentBatches(seen, deliveries, numbers);
    const others = deliveries.filter((delivery) => !resent.has(delivery));
    const recordedIn = (place: PlaceColumns): IsRecorded => this.#recordedSince(life, place);
    const known = await findExistingShapes(tx, workspaceId, listBroughtShapes(withFresh(others, fresh), recordedIn));
    const aggregator = new ObservationAggregator(fresh, known, recordedIn, this.#limits);
    const outcomes = new Map(others.map((delivery) => [delivery, aggregator.count(delivery)]));
    const acceptedOf = new Set(aggregator.accepted.places().map(({ place }) => place.source));
    const whole = others.filter((delivery) => outcomes.get(delivery)?.refused.length === 0);
    await executeLast(tx, [
      compileDisowned(tx, aggregator.uncounted()),
      compileForgotten(tx, workspaceId, added.difference(acceptedOf)),
      await compileNovelties(tx, workspaceId, aggregator),
      compileObservations(tx, aggregator),
      compilePendingCounts(tx, workspaceId, aggregator.accepted),
      compileNews(tx, workspaceId, aggregator.news),
      compileBatches(tx, whole, numbers),
    ]);
    return { life, accepted: aggregator.accepted, outcomes };
  }

  async #sourceNumbers(
    tx: Transaction<Tables>,
    { workspaceId, life, deliveries }: { workspaceId: string; life: string; deliveries: readonly Delivery[] },
  ): Promise<UsedNumbers> {
    const numbers = new Map<string, number>();
    const added = new Set<string>();
    const sources = [...new Set(deliveries.map(({ place }) => place.source))].toSorted();
    // Before a source gets its number; all else that is written comes after the look that is made in any case.
    if (!sources.every((source) => this.#sources.knows(life, source))) {
      this.#storage.lives.require(workspaceId, life, await requireLiveWorkspace(tx, workspaceId));
    }
    for (const source of sources) {
      const { number, isNew } = await this.#sources.of(tx, { workspaceId, life, source });
      numbers.set(source, number);
      if (isNew) added.add(source);
    }
    return { numbers, added };
  }
}

function recordedKey(life: string, place: PlaceColumns, shapeId: string): string {
  return joinKey(life, placeShapeKey(place, shapeId));
}

/** The deliveries with only those of their events that nobody has counted. */
function withFresh(deliveries: readonly Delivery[], fresh: FreshMessages): Delivery[] {
  return deliveries.map((delivery) => ({
    ...delivery,
    events: delivery.events.filter((event) => fresh.has(event)),
  }));
}

function resentOutcome({ events }: Delivery): DeliveryOutcome {
  return { duplicates: events.length, refused: [], pastBudget: {} };
}
