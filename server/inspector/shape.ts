import type { ElementSchema, EventSchema, PropertySchema } from './event-schema.ts';
import { boundedKey, digest } from './keys.ts';

/** The common form of all events with the same name and the same properties, in any order. */
export interface Shape extends SchemaSize {
  id: string;
  eventName: string;
  /** The name as in keys. */
  eventKey: string;
  /** The schema in canonical form, as JSON. */
  schema: string;
}

/** Computes the shape of an event whose schema is valid. */
export function deriveShape(eventName: string, schema: EventSchema): Shape {
  const name = eventName.toWellFormed();
  const canonical = JSON.stringify(canonicalSchema(schema));
  return {
    id: digest(JSON.stringify([name, canonical])),
    eventName: name,
    eventKey: boundedKey(name),
    schema: canonical,
    ...measureSchema({ type: 'object', properties: schema }),
  };
}

/** The size of a schema. */
export interface SchemaSize {
  /** The number of properties, across all levels. */
  properties: number;
  /** The total number of characters in the paths of all properties, each from the event down. */
  pathCharacters: number;
}

/** Counts without building any path, which would cost what the limit is to prevent. */
export function measureSchema({ items = [], properties = [] }: ElementSchema, above = 0): SchemaSize {
  const size: SchemaSize = { properties: properties.length, pathCharacters: 0 };
  for (const element of [...items.map((item) => [item, above] as const), ...properties.map(below(above))]) {
    const inside = measureSchema(...element);
    size.properties += inside.properties;
    size.pathCharacters += inside.pathCharacters;
  }
  for (const { name } of properties) size.pathCharacters += above + name.length;
  return size;
}

function below(above: number): (property: PropertySchema) => readonly [ElementSchema, number] {
  return (property) => [property, above + property.name.length];
}

/**
 * Sorts the properties by name and the types of lists, at every level. Names become well-formed
 * Unicode, since no engine can store half a surrogate pair.
 */
export function canonicalSchema(schema: EventSchema): EventSchema {
  return schema
    .map((property): PropertySchema => ({ name: property.name.toWellFormed(), ...canonicalElement(property) }))
    .toSorted((a, b) => compare(a.name, b.name));
}

/** Returns the canonical form of a type, with everything in it. */
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

/** Compares by UTF-16 code units, the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
