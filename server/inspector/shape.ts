import type { ElementSchema, EventSchema, PropertySchema } from './event-schema.ts';
import { boundedKey, digest } from './keys.ts';

/** What all events have in common that have the same name and, in whatever order they came, the same properties. */
export interface Shape extends SchemaSize {
  id: string;
  eventName: string;
  /** The name as it stands in keys. */
  eventKey: string;
  /** The schema in canonical form, as JSON. */
  schema: string;
}

/** The shape of an event whose schema keeps the contract. */
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

/** How large a schema is. */
export interface SchemaSize {
  /** How many properties it has, at all levels together. */
  properties: number;
  /** How many characters the paths of all its properties have together, each from the event down to it. */
  pathCharacters: number;
}

/** Counts without building any path: that would cost what is to be bounded. */
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
