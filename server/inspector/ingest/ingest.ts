import type { ApiKey } from '../../accounts/principals.ts';
import type { Clock } from '../../clock.ts';
import type { components } from '../../generated/types.ts';
import { GroupCommit, NotTaken, type Timer } from '../../storage/group-commit.ts';
import type { Storage } from '../../storage/storage.ts';
import { isUnavailable } from '../../storage/transient-errors.ts';
import { type Budget, DEFAULT_BUDGET, type Measure } from '../budget.ts';
import type { Delivery } from './delivery.ts';
import { EventValidator, type RefusedEvent, type ValidEvent } from './event-validator.ts';
import { weighEvents } from './event-weight.ts';
import { digestBytes } from '../keys.ts';
import { EVENT_LIMITS } from '../limits.ts';
import { splitDelivery } from './delivery-parts.ts';
import { IngestTransaction } from './ingest-transaction.ts';
import { KnownShapes } from './known-shapes.ts';
import type { DeliveryOutcome } from './observation-aggregator.ts';
import { uuidBytes } from './uuids.ts';

export type Batch = components['schemas']['Batch'];
export type BatchReceipt = components['schemas']['BatchReceipt'];

export interface IngestOptions {
  storage: Storage;
  clock: Clock;
  /** The most distinct shapes that are kept for one version of an app. Defaults to 10,000. */
  maxShapes?: number;
  /** What a workspace may have in all. */
  budget?: Budget;
  /** Told how many events were refused because something new was past a bound, by its measure. */
  countPastBudget?: (measure: Measure | 'versionShapes', events: number) => void;
  /** How long a batch waits for others to be stored together with, in milliseconds. Defaults to 3. */
  groupDelayMs?: number;
  /** How much one transaction holds: a known event weighs 1, one that may be new 20 and more (see `weighEvents`). Defaults to 1,000. */
  maxGroupWeight?: number;
  /** How much may wait, weighed likewise; further batches are refused. Defaults to 200,000. */
  maxWaitingWeight?: number;
  /** Defaults to `setTimeout`. */
  timer?: Timer;
  /** Milliseconds of any monotonic clock, by which batches are judged in pieces. Defaults to `performance.now`. */
  now?: () => number;
}

/** Takes in what the Inspector library sends. One process has one. */
export class Ingest {
  readonly #clock: Clock;
  readonly #validator: EventValidator;
  readonly #knownShapes: KnownShapes;
  readonly #recorder: IngestTransaction;
  readonly #commits: GroupCommit<Delivery, DeliveryOutcome>;
  readonly #maxGroupWeight: number;
  readonly #underWay = new Set<Promise<BatchReceipt>>();
  #closed = false;
  readonly #countPastBudget: (measure: Measure | 'versionShapes', events: number) => void;

  constructor({
    storage,
    clock,
    maxShapes = 10_000,
    budget = DEFAULT_BUDGET,
    countPastBudget = () => {},
    groupDelayMs = 3,
    maxGroupWeight = 1_000,
    maxWaitingWeight = 200_000,
    timer = setTimeout,
    now = () => performance.now(),
  }: IngestOptions) {
    this.#clock = clock;
    this.#validator = new EventValidator(EVENT_LIMITS, now);
    this.#knownShapes = new KnownShapes(storage);
    this.#recorder = new IngestTransaction(storage, { versionShapes: maxShapes, budget });
    this.#maxGroupWeight = maxGroupWeight;
    this.#countPastBudget = countPastBudget;
    this.#commits = new GroupCommit({
      commit: (deliveries) => {
        const workspaceId = deliveries[0]?.place.workspace_id ?? '';
        return this.#recorder.record(workspaceId, deliveries);
      },
      holderOf: ({ place }) => place.workspace_id,
      weigh: ({ weight }) => weight,
      meetsAll: isUnavailable,
      delayMs: groupDelayMs,
      maxGroupWeight,
      maxWaitingWeight,
      rest: storage.restAfterWrite,
      concurrency: storage.writers,
      now,
      timer,
    });
  }

  /**
   * Takes a batch whose envelope keeps the contract; its events are judged here.
   *
   * @returns the receipt, once all that it says is durable
   * @throws NotTaken when too much waits to be stored, or the service is stopping; what was stored of a large batch by then is
   *   a duplicate when it is sent again
   */
  async take(key: ApiKey, batch: Batch): Promise<BatchReceipt> {
    if (this.#closed) throw new NotTaken('The service is stopping. Try again in a moment.');
    const taking = this.#take(key, batch);
    this.#underWay.add(taking);
    try {
      return await taking;
    } finally {
      this.#underWay.delete(taking);
    }
  }

  /** Takes no more batches, and resolves when all that were taken are answered. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#commits.hurry();
    await Promise.allSettled(this.#underWay);
    await this.#commits.close();
  }

  async #take(key: ApiKey, batch: Batch): Promise<BatchReceipt> {
    const { samplingRate } = key;
    const { valid: bySchema, byShapeId, refused } = await this.#validator.validate(batch.events, key.workspaceId);
    const { valid: known, unknownShapeIds } = await this.#knownShapes.resolve(key.workspaceId, byShapeId);
    const valid = known.length === 0 ? bySchema : inBatchOrder([...bySchema, ...known]);
    if (valid.length === 0) return { accepted: 0, duplicates: 0, rejected: refused, samplingRate, unknownShapeIds };
    const delivery = this.#deliver(key, batch, valid, refused);
    const outcomes: DeliveryOutcome[] = [];
    const weigh = weighEvents(delivery.place, this.#recorder.recordedIn(delivery.place));
    for (const part of splitDelivery(delivery, this.#maxGroupWeight, weigh)) {
      outcomes.push(await this.#commits.submit(part));
    }
    this.#count(outcomes);
    // Not in the turn of a group: those of other workspaces would wait for all of it.
    await this.#recorder.settleSometimes(key.workspaceId, () => !this.#closed);
    const duplicates = outcomes.reduce((sum, outcome) => sum + outcome.duplicates, 0);
    const pastLimits = outcomes.flatMap((outcome) => outcome.refused);
    return {
      accepted: valid.length - duplicates - pastLimits.length,
      duplicates,
      rejected: inBatchOrder([...refused, ...pastLimits]),
      samplingRate,
      unknownShapeIds,
    };
  }

  #deliver(
    { workspaceId, source, keyId }: ApiKey,
    batch: Batch,
    valid: readonly ValidEvent[],
    refused: readonly RefusedEvent[],
  ): Omit<Delivery, 'weight'> {
    const { environment } = batch;
    const version = batch.app.version.toWellFormed();
    const messages = valid.map(({ messageId, shape }) => [messageId.toLowerCase(), shape.id]);
    return {
      place: { workspace_id: workspaceId, source, app_version: version, environment },
      keyId,
      batch: {
        batchId: uuidBytes(batch.batchId),
        digest: digestBytes(JSON.stringify([version, environment, refused, messages])),
      },
      receivedAt: this.#clock(),
      events: valid,
    };
  }

  #count(outcomes: readonly DeliveryOutcome[]): void {
    for (const { pastBudget } of outcomes) {
      for (const [measure, events] of Object.entries(pastBudget)) {
        this.#countPastBudget(measure as keyof typeof pastBudget, events);
      }
    }
  }
}

function inBatchOrder<Event extends { index: number }>(events: readonly Event[]): Event[] {
  return events.toSorted((a, b) => a.index - b.index);
}

/** How many events of a batch the receipt asks for again, with their schemas. */
export function countUnknown({ events }: Batch, { accepted, duplicates, rejected }: BatchReceipt): number {
  return events.length - accepted - duplicates - rejected.length;
}
