import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { EventSchema } from '../server/inspector/event-schema.ts';
import { deriveShape } from '../server/inspector/shape.ts';

interface Vector {
  title: string;
  eventName: string;
  schema: EventSchema;
  canonical: string;
  shapeId: string;
}

// Not imported: the halves of surrogate pairs in it are not for bundlers.
const vectors: Vector[] = JSON.parse(readFileSync('conformance/library/shape-ids.json', 'utf8')).vectors;

it.each(vectors)('the server gives a shape the id that clients compute: $title', ({ eventName, schema, ...vector }) => {
  const shape = deriveShape(eventName, schema);
  expect([shape.schema, shape.id]).toEqual([vector.canonical, vector.shapeId]);
});
