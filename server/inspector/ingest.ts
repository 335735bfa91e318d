import type { ApiKey } from '../accounts/principals.ts';
import type { Clock } from '../clock.ts';
import type { components } from '../generated/types.ts';
import type { Storage } from '../storage/storage.ts';
import { isUnavailable } from '../storage/unavailable.ts';
import type { Delivery } from './delivery.ts';
import { forgetBefore } from './forget.ts';
import { GroupCommit, type Timer } from '../storage/group-commit.ts';
import { Judge } from './judge.ts';
import { digest } from './keys.ts';
import { EVENT_LIMITS } from './limits.ts';
import { recordDeliveries } from './record.ts';
import type { Outcome } from './tally.ts';

export type Batch = components['schemas']['Batch'];
export type BatchReceipt = components['schemas']['BatchReceipt'];

export interface IngestOptions {
  storage: Storage;
  clock: Clock;
  /** The most distinct shapes that are kept for one version of an app. Defaults to 10,000. */
  maxShapes?: number;
  /** How long a batch waits for others to be stored together with, in milliseconds. Defaults to 3. */
  groupDelayMs?: number;
  /** How many events are stored together, roughly. Defaults to 3,000. */
  maxGroupEvents?: number;
  /** How many events may wait, roughly; further batches are refused. Defaults to 20,000. */
  maxWaitingEvents?: number;
  /** Defaults to `setTimeout`. */
  timer?: Timer;
}

/** Takes in what the Inspector library sends. One process has one. */
export class Ingest {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #judge = new Judge(EVENT_LIMITS);
  readonly #commits: GroupCommit<Delivery, Outcome>;

  constructor({
    storage,
    clock,
    maxShapes = 10_000,
    groupDelayMs = 3,
    maxGroupEvents = 3_000,
    maxWaitingEvents = 20_000,
    timer = setTimeout,
  }: IngestOptions) {
    this.#storage = storage;
    this.#clock = clock;
    this.#commits = new GroupCommit({
      commit: (deliveries) => storage.write((tx) => recordDeliveries(tx, deliveries, maxShapes)),
      weigh,
      meetsAll: isUnavailable,
      delayMs: groupDelayMs,
      maxGroupWeight: maxGroupEvents,
      maxWaitingWeight: maxWaitingEvents,
      timer,
    });
  }

  /**
   * Takes a batch whose envelope keeps the contract; its events are judged here.
   *
   * @returns the receipt, once all that it says is durable
   * @throws NotTaken when too much waits to be stored, or the service is stopping
   */
  async take({ workspaceId, source, samplingRate }: ApiKey, batch: Batch): Promise<BatchReceipt> {
    const { environment } = batch;
    const version = batch.app.version.toWellFormed();
    const { sound, refused } = this.#judge.judge(batch.events);
    if (sound.length === 0) return { accepted: 0, duplicates: 0, rejected: refused, samplingRate };
    const outcome = await this.#commits.submit({
      place: { workspace_id: workspaceId, source, app_version: version, environment },
      batchId: batch.batchId.toLowerCase(),
      digest: digest(
        JSON.stringify([version, environment, refused, sound.map(({ messageId, shape }) => [messageId, shape.id])]),
      ),
      receivedAt: this.#clock(),
      events: sound,
    });
    return {
      accepted: sound.length - outcome.duplicates - outcome.refused.length,
      duplicates: outcome.duplicates,
      rejected: [...refused, ...outcome.refused].toSorted((a, b) => a.index - b.index),
      samplingRate,
    };
  }

  /**
   * Forgets some messages and batches that were received before a time (milliseconds since 1970, UTC). One of them that is sent
   * again afterwards counts again, so the time should lie well beyond that for which clients keep trying.
   *
   * @returns whether there may be more
   */
  forget(olderThan: number): Promise<'more' | 'done'> {
    return forgetBefore(this.#storage, olderThan);
  }

  /** Takes no more batches, and resolves when all that were taken are answered. */
  close(): Promise<void> {
    return this.#commits.close();
  }
}

/** In events; one with a large schema weighs as much as several, so that what waits is bounded in memory too. */
function weigh({ events }: Delivery): number {
  return events.reduce((sum, { shape }) => sum + 1 + Math.floor(shape.schema.length / 1_000), 0);
}
