import type { ApiKey } from '../../accounts/principals.ts';
import type { EventReport, EventSchema } from '../event-schema.ts';
import { Ingest, type IngestOptions, type Batch } from '../ingest/ingest.ts';

export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

export const KEY: ApiKey = { workspaceId: 'demo', keyId: 'key-1', source: 'shop', samplingRate: 1 };

/** A UUID that is easy to tell from others. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

let lastId = 1_000_000;

/** An event with a message of its own, but for what is given. */
export function event(given: Partial<EventReport> = {}): EventReport {
  lastId += 1;
  return { messageId: uuid(lastId), eventName: 'Viewed', observedAt: '2026-01-02T03:04:01Z', schema: [], ...given };
}

/** An event with this one property. */
export function eventWith(name: string, type: 'int' | 'string' | 'float' = 'int'): EventReport {
  return event({ schema: [{ name, type }] });
}

interface BatchParts {
  batchId?: string;
  version?: string;
  environment?: Batch['environment'];
  sentAt?: string;
}

/** A batch with an id of its own, but for what is given. Events may be anything: they are judged one by one. */
export function batch<Event>(events: Event[], { version = '1.0', environment = 'prod', ...given }: BatchParts = {}) {
  lastId += 1;
  return {
    batchId: uuid(lastId),
    sentAt: '2026-01-02T03:04:05.678Z',
    library: { name: 'test', version: '1', platform: 'android' },
    app: { id: 'com.example.shop', name: 'Shop', version },
    environment,
    samplingRate: 1,
    events,
    ...given,
  } satisfies Batch;
}

/** An ingest that waits for nothing and whose clock stands still, but for what is given. */
export function openIngest(options: Pick<IngestOptions, 'storage'> & Partial<IngestOptions>): Ingest {
  // No time passes while a batch is judged, so that batches are stored in the order in which they come.
  return new Ingest({ clock: () => NOW, now: () => 0, timer: (callback) => queueMicrotask(callback), ...options });
}

export const nested = (levels: number): EventSchema =>
  levels === 1 ? [{ name: 'leaf', type: 'int' }] : [{ name: 'level', type: 'object', properties: nested(levels - 1) }];
