import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { computeShapeId, writeProperties } from './shape-id.ts';

interface Vector {
  readonly title: string;
  readonly eventName: string;
  readonly schema: readonly unknown[];
  readonly canonical: string;
  readonly shapeId: string;
}

// Not imported: the halves of surrogate pairs in it are not for bundlers.
const { vectors }: { vectors: Vector[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../shape-ids.json'), 'utf8'),
);

it.each(vectors)(
  'the sink expects the id that the vectors say: $title',
  ({ eventName, schema, canonical, shapeId }) => {
    expect(writeProperties(schema)).toBe(canonical);
    expect(computeShapeId(eventName, schema)).toBe(shapeId);
  },
);
