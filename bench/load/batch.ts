import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { OBSERVED_AT } from '../subjects/place.ts';

const TIME = OBSERVED_AT;

export interface BatchForm {
  batchSize: number;
  /** How many different events there are, with ten properties each. */
  shapes: number;
  /** Whether message ids are in the order of time (UUID version 7) or random (version 4). */
  ids: 'timeOrdered' | 'random';
}

/** A batch of new events. */
export function batchText({ batchSize, shapes, ids }: BatchForm): string {
  const newId = ids === 'timeOrdered' ? v7 : randomUUID;
  const first = Math.floor(Math.random() * shapes);
  const events = Array.from({ length: batchSize }, (_, index) => eventText((first + index) % shapes, newId()));
  return (
    `{"batchId":"${randomUUID()}","sentAt":"${TIME}","library":{"name":"bench","version":"1","platform":"android"},` +
    `"app":{"id":"com.example.shop","name":"Shop","version":"1.4.0"},"environment":"prod","samplingRate":1,` +
    `"events":[${events.join(',')}]}`
  );
}

function eventText(shape: number, messageId: string): string {
  return `{"messageId":"${messageId}","eventName":"Product Viewed ${shape}","observedAt":"${TIME}","schema":${SCHEMA}}`;
}

const SCHEMA = JSON.stringify([
  { name: 'productId', type: 'string' },
  { name: 'productName', type: 'string' },
  { name: 'price', type: 'float' },
  { name: 'quantity', type: 'int' },
  { name: 'inStock', type: 'boolean' },
  { name: 'coupon', type: 'null' },
  { name: 'tags', type: 'list', items: [{ type: 'string' }] },
  {
    name: 'user',
    type: 'object',
    properties: [
      { name: 'id', type: 'string' },
      { name: 'age', type: 'int' },
    ],
  },
]);
