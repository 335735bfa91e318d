import { gzipSync } from 'node:zlib';
import type { JsonObject } from '@branchline/contract';
import type { Fault } from './fault.ts';
import type { Batch, ClientSettings, QueuedEvent } from './client.ts';

/** An outgoing request. */
export interface Outgoing {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const MORE_THAN_A_MEBIBYTE = 1_100_000;

/** The batch on the wire; every second one is compressed. */
export function outgoing(batch: Batch, isZipped: boolean, settings: ClientSettings, samplingRate: number): Outgoing {
  const { apiKey, environment, fault } = settings;
  const text = JSON.stringify(envelope(batch, settings, samplingRate));
  const plain = Buffer.from(
    fault === 'too-many-bytes' && environment === 'staging' ? text.padEnd(MORE_THAN_A_MEBIBYTE) : text,
  );
  const zip = isZipped && fault !== 'gzip-that-is-none';
  const createCanaryEvent = batch.events[0]?.value ?? '';
  return {
    path: fault === 'other-path' ? '/inspector/batches' : '/inspector/batches/v1',
    headers: {
      'api-key': fault === 'other-key' ? 'none' : apiKey,
      ...(fault === 'no-content-type' ? {} : { 'content-type': 'application/json' }),
      ...(zip || fault === 'gzip-that-is-none' ? { 'content-encoding': 'gzip' } : {}),
      ...(fault === 'key-in-another-header' ? { 'x-sender': apiKey } : {}),
      ...(fault === 'value-in-header' ? { 'x-trace': Buffer.from(`of ${createCanaryEvent}.`).toString('base64') } : {}),
    },
    body: zip ? gzipSync(plain) : plain,
  };
}

function envelope(batch: Batch, settings: ClientSettings, samplingRate: number): JsonObject {
  const { environment, fault, clock } = settings;
  const events = batch.events.map((event) => report(event, settings));
  const isMore = fault === 'invents-an-event' && environment === 'dev';
  return {
    batchId: batch.batchId,
    sentAt: new Date(clock.wall()).toISOString(),
    library: { name: 'reference', version: '1', platform: 'node' },
    app: { id: 'com.example.shop', name: valueOr('Shop', batch, fault), version: '1.4.0' },
    environment: fault === 'other-environment' ? (environment === 'dev' ? 'prod' : 'dev') : environment,
    samplingRate,
    events: isMore ? [...events, invented()] : fault === 'last-first' ? events.toReversed() : events,
    ...(fault === 'envelope-with-a-field-more' ? { device: 'phone' } : {}),
  };
}

function valueOr(name: string, { events: [first] }: Batch, fault: Fault | undefined): string {
  if (fault !== 'value-in-body' || first?.value === undefined) return name;
  return Buffer.from(first.value).toString('hex');
}

function report(event: QueuedEvent, { fault, clock }: ClientSettings): JsonObject {
  const { messageId, eventName, schema, shapeId } = event;
  const observedAt = fault === 'observed-when-sent' ? new Date(clock.wall()).toISOString() : event.observedAt;
  const sent = { messageId: fault === 'new-message-ids' ? crypto.randomUUID() : messageId, eventName, observedAt };
  if (shapeId !== undefined) return { ...sent, shapeId };
  if (fault === 'event-with-a-field-more') return { ...sent, schema, screen: 'cart' };
  if (fault === 'float-as-int') return { ...sent, schema: schema.map(withoutFloat) };
  return { ...sent, schema };
}

function withoutFloat(property: JsonObject): JsonObject {
  return property['type'] === 'float' ? { ...property, type: 'int' } : property;
}

function invented(): JsonObject {
  const observedAt = new Date().toISOString();
  return { messageId: crypto.randomUUID(), eventName: 'App Opened', observedAt, schema: [] };
}
