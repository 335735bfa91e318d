import type { ApiKey } from '../../accounts/principals.ts';
import type { components } from '../../generated/types.ts';
import { type Batch, type BatchReceipt, countUnknown } from '../ingest/ingest.ts';
import { MAX_LIVE_NAMES, MAX_LIVE_REJECTIONS } from '../limits.ts';
import { truncate } from '../truncate.ts';

export type LiveBatch = components['schemas']['LiveBatch'];
export type LiveEvent = components['schemas']['LiveEvent'];

/** The maximum size of a batch as JSON. */
const MAX_BYTES = 8_192;

/** The maximum number of characters of an event's name. */
const MAX_NAME = 100;

/** Describes a batch for the stream: its origin, the names of its events, and its receipt. */
export function liveBatch({ source }: ApiKey, batch: Batch, receipt: BatchReceipt, receivedAt: number): LiveBatch {
  const { name, version, platform } = batch.library;
  const events = eventNames(batch.events);
  const listed = events.slice(0, MAX_LIVE_NAMES);
  return boundBatch({
    type: 'batch',
    batchId: batch.batchId,
    receivedAt: new Date(receivedAt).toISOString(),
    source,
    environment: batch.environment,
    appVersion: batch.app.version.toWellFormed(),
    library: { name: name.toWellFormed(), version: version.toWellFormed(), platform: platform.toWellFormed() },
    events: listed,
    otherEvents: batch.events.length - countEvents(listed),
    accepted: receipt.accepted,
    duplicates: receipt.duplicates,
    rejected: receipt.rejected.length,
    unknown: countUnknown(batch, receipt),
    rejections: receipt.rejected
      .slice(0, MAX_LIVE_REJECTIONS)
      .map(({ index, messageId, reason }) => ({ index, eventName: readName(batch.events[index]), messageId, reason })),
  });
}

function eventNames(events: readonly unknown[]): LiveBatch['events'] {
  const counts = new Map<string, number>();
  for (const event of events) {
    const name = readName(event);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Array.from(counts, ([eventName, count]) => ({ eventName, count }));
}

/** Rejected events may have any form. */
function readName(event: unknown): string | null {
  const { eventName } = Object(event);
  return typeof eventName === 'string' ? truncate(eventName, MAX_NAME) : null;
}

/** Halves the lists until the batch is small enough. */
function boundBatch(batch: LiveBatch): LiveBatch {
  const { events, rejections } = batch;
  if (Buffer.byteLength(JSON.stringify(batch)) <= MAX_BYTES || events.length + rejections.length === 0) return batch;
  const fewer = events.slice(0, Math.floor(events.length / 2));
  return boundBatch({
    ...batch,
    events: fewer,
    otherEvents: batch.otherEvents + countEvents(events) - countEvents(fewer),
    rejections: rejections.slice(0, Math.floor(rejections.length / 2)),
  });
}

function countEvents(events: LiveBatch['events']): number {
  return events.reduce((sum, { count }) => sum + count, 0);
}
