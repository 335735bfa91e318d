import type { ElementSchema, EventSchema, PropertySchema } from './event-schema.ts';
import { boundedKey, digest } from './keys.ts';

/** What all events have in common that have the same name and, in whatever order they came, the same properties. */
export interface Shape {
  id: string;
  eventName: string;
  /** The name as it stands in keys. */
  eventKey: string;
  /** The schema in canonical form, as JSON. */
  schema: string;
  /** How many properties it has, at all levels together. */
  properties: number;
}

/** The shape of an event whose schema keeps the contract. */
export function shapeOf(eventName: string, schema: EventSchema): Shape {
  const name = eventName.toWellFormed();
  const canonical = JSON.stringify(canonicalSchema(schema));
  return {
    id: digest(JSON.stringify([name, canonical])),
    eventName: name,
    eventKey: boundedKey(name),
    schema: canonical,
    properties: countProperties({ type: 'object', properties: schema }),
  };
}

/** How many properties an element has, at all levels together. */
export function countProperties({ items = [], properties = [] }: ElementSchema): number {
  const below = [...items, ...properties].map(countProperties);
  return below.reduce((sum, count) => sum + count, properties.length);
}

/**
 * The schema with its properties sorted by name and the types of its lists sorted, at every level. Names become well-formed
 * Unicode, since no engine stores half a surrogate pair.
 */
export function canonicalSchema(schema: EventSchema): EventSchema {
  return schema
    .map((property): PropertySchema => ({ name: property.name.toWellFormed(), ...canonicalElement(property) }))
    .toSorted((a, b) => compare(a.name, b.name));
}

/** The type with everything in it in canonical form. */
export function canonicalElement({ type, items, properties }: ElementSchema): ElementSchema {
  return {
    type,
    ...(items !== undefined && { items: canonicalItems(items) }),
    ...(properties !== undefined && { properties: canonicalSchema(properties) }),
  };
}

function canonicalItems(items: readonly ElementSchema[]): ElementSchema[] {
  return items
    .map(canonicalElement)
    .map((element) => ({ element, text: JSON.stringify(element) }))
    .toSorted((a, b) => compare(a.text, b.text))
    .map(({ element }) => element);
}

/** By UTF-16 code units, the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
