import { randomUUID } from 'node:crypto';
import type { components } from '../../server/generated/types.ts';

export type Batch = components['schemas']['Batch'];
/** An event that is reported with its schema. */
export type EventReport = Required<Omit<components['schemas']['EventReport'], 'shapeId'>>;

/** An event as the Inspector library reports it. */
export function eventReport(
  eventName: string,
  schema: EventReport['schema'],
  messageId: string = randomUUID(),
): EventReport {
  return { messageId, eventName, observedAt: '2026-01-02T03:04:05.678Z', schema };
}

/** A batch of events, which may also be no events at all. */
export function batchOf(events: unknown[], change: Partial<Batch> = {}): Record<string, unknown> {
  return {
    batchId: randomUUID(),
    sentAt: '2026-01-02T03:04:05.678Z',
    library: { name: 'test', version: '1', platform: 'android' },
    app: { id: 'com.example.shop', name: 'Shop', version: '1.4.0' },
    environment: 'prod',
    samplingRate: 1,
    ...change,
    events,
  };
}
