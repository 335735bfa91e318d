import * as fc from 'fast-check';
import type { ElementSchema, EventSchema, PropertySchema } from '../event-schema.ts';
import { CanonicalTexts } from '../shape.ts';

const plainType = fc.constantFrom('int', 'float', 'boolean', 'string', 'null', 'unknown');
const name = fc.oneof(
  fc.constantFrom('a', 'b', 'id', 'user', 'ä', '😀', ''),
  fc.string({ maxLength: 8, unit: 'binary' }),
);
const storable = name.filter((text) => !text.includes('\0'));

// An alias, since an interface is no Record for the type of `letrec`.
type Made = { element: ElementSchema; properties: EventSchema };

const made = fc.letrec<Made>((tie) => ({
  element: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    plainType.map((type): ElementSchema => ({ type })),
    fc
      .uniqueArray(tie('element'), { maxLength: 3, selector: (element) => new CanonicalTexts().ofElement(element) })
      .map((items): ElementSchema => ({ type: 'list', items })),
    tie('properties').map((properties): ElementSchema => ({ type: 'object', properties })),
  ),
  properties: fc.uniqueArray(
    fc.tuple(storable, tie('element')).map(([name, element]): PropertySchema => ({ name, ...element })),
    { maxLength: 4, selector: (property) => property.name.toWellFormed() },
  ),
}));

/** Schemas that keep the contract. */
export const eventSchema: fc.Arbitrary<EventSchema> = made.properties;

/** The same schema with everything that has no order in another one. */
export function anyOrder(schema: EventSchema, seed: fc.Arbitrary<number> = fc.nat()): fc.Arbitrary<EventSchema> {
  return seed.map((number) => shuffleProperties(schema, number));
}

function shuffleProperties(schema: EventSchema, seed: number): EventSchema {
  return rotate(schema, seed).map((property) => ({ ...shuffleElement(property, seed), name: property.name }));
}

function shuffleElement({ type, items, properties }: ElementSchema, seed: number): ElementSchema {
  return {
    ...(properties !== undefined && { properties: shuffleProperties(properties, seed + 1) }),
    ...(items !== undefined && { items: rotate(items, seed + 1).map((item) => shuffleElement(item, seed + 2)) }),
    type,
  };
}

/** Another order for every seed, and each entry once. */
function rotate<Entry>(entries: readonly Entry[], seed: number): Entry[] {
  const start = entries.length === 0 ? 0 : seed % entries.length;
  const turned = [...entries.slice(start), ...entries.slice(0, start)];
  return seed % 2 === 0 ? turned : turned.toReversed();
}
