import type { ElementSchema, EventSchema } from './event-schema.ts';
import { countCharacters } from './count-characters.ts';
import { boundedKey, digest } from './keys.ts';
import { parseSchema } from './stored-schema.ts';

/** The common form of all events with the same name and the same properties, in any order. */
export interface Shape extends SchemaSize {
  id: string;
  eventName: string;
  /** The name as in keys. */
  eventKey: string;
  /** The schema in canonical form, as JSON. */
  schema: string;
}

/**
 * Computes the shape of an event whose schema is valid.
 *
 * @param texts where some of the schema's elements may be known already
 */
export function deriveShape(eventName: string, schema: EventSchema, texts = new CanonicalTexts()): Shape {
  const name = eventName.toWellFormed();
  const canonical = texts.ofSchema(schema);
  return {
    id: digest(JSON.stringify([name, canonical])),
    eventName: name,
    eventKey: boundedKey(name),
    schema: canonical,
    ...measureSchema({ type: 'object', properties: schema }),
  };
}

/**
 * Makes a shape that was stored whole again.
 *
 * @throws UnreadableValue
 */
export function restoreShape({ id, eventName, schema }: Pick<Shape, 'id' | 'eventName' | 'schema'>): Shape {
  const size = measureSchema({ type: 'object', properties: parseSchema(schema) });
  return { id, eventName, eventKey: boundedKey(eventName), schema, ...size };
}

/** The size of a schema. */
export interface SchemaSize {
  /** The number of properties, across all levels. */
  properties: number;
  /** The total number of characters (code points) in the paths of all properties, each from the event down. */
  pathCharacters: number;
}

/** Counts without building any path, which would cost what the limit is to prevent. */
export function measureSchema({ items = [], properties = [] }: ElementSchema, above = 0): SchemaSize {
  const size: SchemaSize = { properties: properties.length, pathCharacters: 0 };
  for (const item of items) addTo(size, measureSchema(item, above));
  for (const property of properties) {
    const path = above + countCharacters(property.name);
    size.pathCharacters += path;
    addTo(size, measureSchema(property, path));
  }
  return size;
}

function addTo(size: SchemaSize, inside: SchemaSize): void {
  size.properties += inside.properties;
  size.pathCharacters += inside.pathCharacters;
}

/**
 * The canonical form of schemas, as JSON: the properties sorted by name and the types of lists, at every level. Names become
 * well-formed Unicode, since no engine can store half a surrogate pair.
 *
 * Remembers the elements of lists, since all that is in a list would else be put in order anew for each list around it.
 */
export class CanonicalTexts {
  readonly #elements = new Map<ElementSchema, string>();

  ofSchema(schema: EventSchema): string {
    const properties = schema
      .map((property) => ({ name: property.name.toWellFormed(), property }))
      .toSorted((a, b) => compare(a.name, b.name))
      .map(({ name, property }) => `{"name":${JSON.stringify(name)},${this.#members(property)}}`);
    return `[${properties.join(',')}]`;
  }

  /** Of a type of a list's elements. */
  ofElement(element: ElementSchema): string {
    const known = this.#elements.get(element);
    if (known !== undefined) return known;
    const text = `{${this.#members(element)}}`;
    this.#elements.set(element, text);
    return text;
  }

  #members({ type, items, properties }: ElementSchema): string {
    const ofType = `"type":${JSON.stringify(type)}`;
    const ofItems =
      items &&
      `,"items":[${items
        .map((item) => this.ofElement(item))
        .toSorted(compare)
        .join(',')}]`;
    const ofProperties = properties && `,"properties":${this.ofSchema(properties)}`;
    return `${ofType}${ofItems ?? ''}${ofProperties ?? ''}`;
  }
}

/** Compares by UTF-16 code units, the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
