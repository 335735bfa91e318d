import { randomUUID } from 'node:crypto';

/** Batches of a tenant that means harm, or knows no better; each is of another version of its app. */
export type HostileForm =
  | {
      /** Many events with many properties, each with another type than in the batch before. */
      kind: 'freshProperties';
      batches: number;
      events: number;
      properties: number;
    }
  | {
      /** One event whose properties change their types with each version. */
      kind: 'versions';
      /** The first one's number, from 1. */
      from: number;
      to: number;
      properties: number;
    };

const TIME = '2026-01-02T03:04:05.678Z';
const ENVIRONMENTS = ['dev', 'staging', 'prod'];

/** The JSON of the batches, one at a time. */
export function* hostileBatches(form: HostileForm): Iterable<string> {
  if (form.kind === 'freshProperties') {
    for (let batch = 0; batch < form.batches; batch += 1) {
      yield batchOf(batch, 'prod', form.events, form.properties);
    }
  } else {
    for (let version = form.from; version <= form.to; version += 1) {
      yield batchOf(version, ENVIRONMENTS[version % ENVIRONMENTS.length] ?? '', 1, form.properties);
    }
  }
}

function batchOf(number: number, environment: string, events: number, properties: number): string {
  const type = number % 2 === 0 ? 'int' : 'null';
  return JSON.stringify({
    batchId: randomUUID(),
    sentAt: TIME,
    library: { name: 'bench', version: '1', platform: 'android' },
    app: { id: 'com.example.attack', name: 'Attack', version: `1.0.${number}` },
    environment,
    samplingRate: 1,
    events: Array.from({ length: events }, (_, event) => ({
      messageId: randomUUID(),
      eventName: `Attack ${event}`,
      observedAt: TIME,
      // Short names, so that as many properties as can be fit below the limit of a batch's size.
      schema: Array.from({ length: properties }, (_, property) => ({
        name: (event * properties + property).toString(36),
        type,
      })),
    })),
  });
}
