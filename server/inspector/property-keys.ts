import { LRUCache } from 'lru-cache';
import { boundedKey } from './keys.ts';
import { propertyTypes } from './property-types.ts';
import type { Shape } from './shape.ts';
import { parseSchema } from './stored-schema.ts';

/** A property of a shape with its type, as in keys. */
export interface PropertyKey {
  /** JSON array of the names from the event down to the property. */
  path: string;
  /** `boundedKey` of the path. */
  pathKey: string;
  /** `boundedKey` of the type as text. */
  type: string;
}

/** How many characters of keys are remembered: those of a shape may be fifty times as long as its schema. */
const REMEMBERED_CHARACTERS = 32 * 1024 * 1024;

/** What a key takes besides its texts, in characters. */
const OF_A_KEY = 64;

/** By the shape's object: the validator returns the same one for the same schema. */
const found = new LRUCache<Shape, readonly PropertyKey[]>({
  maxSize: REMEMBERED_CHARACTERS,
  sizeCalculation: (keys, { schema }) =>
    keys.reduce(
      (sum, { path, pathKey, type }) => sum + OF_A_KEY + path.length + pathKey.length + type.length,
      schema.length,
    ),
});

/** Every property of the shape with its type, at every level. */
export function derivePropertyKeys(shape: Shape): readonly PropertyKey[] {
  const known = found.get(shape);
  if (known !== undefined) return known;
  const keys = propertyTypes(parseSchema(shape.schema)).map(({ text, type }) => ({
    path: text,
    pathKey: boundedKey(text),
    type: boundedKey(type),
  }));
  found.set(shape, keys);
  return keys;
}
