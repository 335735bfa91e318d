import type { Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { requireLiveWorkspace } from '../../storage/live-workspace.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { findResentBatches, rememberBatches } from './seen-batches.ts';
import { type Delivery, joinKey } from './delivery.ts';
import { addNews } from '../issues/news.ts';
import { listBroughtShapes, findExistingShapes } from './existing-shapes.ts';
import { type FreshMessages, disownMessages, messageKey, rememberMessages } from './seen-messages.ts';
import { addNovelties } from './novelties.ts';
import { addObservations } from './observations.ts';
import { addPendingCounts, settleCounts } from './pending-counts.ts';
import { placeShapeKey } from '../place-keys.ts';
import { SourceNumbers } from './source-numbers.ts';
import type { PlaceColumns } from '../tables.ts';
import { type NoveltyLimits, type DeliveryOutcome, ObservationAggregator } from './observation-aggregator.ts';

/** How many rows are remembered to be there, which saves looking them up. */
const REMEMBERED_ROWS = 50_000;

/** How many counts a process leaves pending in a workspace. To settle them takes some hundredths of a second. */
const MOST_PENDING = 5_000;

/** Records what is delivered. One process has one. */
export class IngestTransaction {
  readonly #limits: NoveltyLimits;
  readonly #sources = new SourceNumbers();
  /** Shapes in places that are committed: they stay as long as their workspace, whose id is never used again. */
  readonly #recorded = new LRUCache<string, true>({ max: REMEMBERED_ROWS });

  /** How many counts were left pending, by workspace. */
  readonly #pending = new LRUCache<string, number>({ max: REMEMBERED_ROWS });

  constructor(limits: NoveltyLimits) {
    this.#limits = limits;
  }

  /** Whether a shape is known to be recorded in a place, so that counting it again costs little. */
  isRecorded(place: PlaceColumns, shapeId: string): boolean {
    return this.#recorded.get(joinKey(place.workspace_id, placeShapeKey(place, shapeId))) === true;
  }

  /**
   * Records a group of deliveries of one workspace, with the same result as if they came one after the other.
   *
   * @param write runs its work in one transaction, perhaps more than once
   * @returns the outcome of each, in the same order, once it is durable
   */
  async record(
    write: Storage['write'],
    workspaceId: string,
    deliveries: readonly Delivery[],
  ): Promise<DeliveryOutcome[]> {
    const { aggregator, outcomes } = await write((tx) => this.#recordIn(tx, workspaceId, deliveries));
    for (const row of aggregator.shapes.values()) {
      this.#recorded.set(joinKey(workspaceId, placeShapeKey(row, row.shape_id)), true);
    }
    await this.#settleSometimes(write, workspaceId, aggregator.shapes.size);
    return deliveries.map((delivery) => outcomes.get(delivery) ?? resentOutcome(delivery));
  }

  /** What is durable is answered, whether or not this succeeds: it stays pending until the next time, or until it is read. */
  async #settleSometimes(write: Storage['write'], workspaceId: string, added: number): Promise<void> {
    const pending = (this.#pending.get(workspaceId) ?? 0) + added;
    this.#pending.set(workspaceId, pending >= MOST_PENDING ? 0 : pending);
    if (pending >= MOST_PENDING) await settleCounts({ write }, workspaceId).catch(() => {});
  }

  async #recordIn(tx: Transaction<Tables>, workspaceId: string, deliveries: readonly Delivery[]) {
    await requireLiveWorkspace(tx, workspaceId);
    const numbers = await this.#sourceNumbers(tx, workspaceId, deliveries);
    const resent = await findResentBatches(tx, workspaceId, deliveries, numbers);
    const others = deliveries.filter((delivery) => !resent.has(delivery));
    const fresh = await rememberMessages(tx, others, numbers);
    const isRecorded = (place: PlaceColumns, shapeId: string): boolean => this.isRecorded(place, shapeId);
    const known = await findExistingShapes(tx, workspaceId, listBroughtShapes(withFresh(others, fresh), isRecorded));
    const aggregator = new ObservationAggregator(fresh, known, isRecorded, this.#limits);
    const outcomes = new Map(others.map((delivery) => [delivery, aggregator.count(delivery)]));
    await disownMessages(tx, aggregator.uncounted);
    await addNovelties(tx, workspaceId, aggregator);
    await addObservations(tx, aggregator);
    await addPendingCounts(tx, workspaceId, aggregator.hours);
    await addNews(tx, workspaceId, aggregator.news);
    const whole = others.filter((delivery) => outcomes.get(delivery)?.refused.length === 0);
    await rememberBatches(tx, whole, numbers);
    return { aggregator, outcomes };
  }

  async #sourceNumbers(tx: Transaction<Tables>, workspaceId: string, deliveries: readonly Delivery[]) {
    const numbers = new Map<string, number>();
    for (const source of new Set(deliveries.map(({ place }) => place.source).toSorted())) {
      numbers.set(source, await this.#sources.of(tx, workspaceId, source));
    }
    return numbers;
  }
}

/** The deliveries with only those of their events that nobody has counted. */
function withFresh(deliveries: readonly Delivery[], fresh: FreshMessages): Delivery[] {
  return deliveries.map((delivery) => ({
    ...delivery,
    events: delivery.events.filter((event) => fresh.has(messageKey(delivery, event))),
  }));
}

function resentOutcome({ events }: Delivery): DeliveryOutcome {
  return { duplicates: events.length, refused: [], pastBudget: {} };
}
