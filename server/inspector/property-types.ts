import { ELEMENTS, type ElementSchema, type EventSchema, nameInPath } from './event-schema.ts';

/** A property with one of its types. */
export interface PropertyType {
  /** The names from the event down to the property, see {@link nameInPath}; `[]` stands for the elements of a list. */
  path: readonly string[];
  /** The path as JSON. */
  text: string;
  /** As text, see {@link typeInWords}. */
  type: string;
}

/**
 * Returns every property of the schema with its type, at every level. A property of a list's elements appears once per type
 * that it has among them.
 */
export function propertyTypes(schema: EventSchema): PropertyType[] {
  const found = new Map<string, PropertyType>();
  for (const property of propertiesIn(schema, [])) found.set(property.text + property.type, property);
  return [...found.values()];
}

/** Formats the type of a property or list element: `int`, `object`, `list<int|null>`. */
export function typeInWords({ type, items }: ElementSchema): string {
  if (type !== 'list') return type;
  const words = new Set((items ?? []).map(typeInWords));
  return `list<${[...words].toSorted().join('|')}>`;
}

function* propertiesIn(schema: EventSchema, parent: readonly string[]): Iterable<PropertyType> {
  for (const property of schema) {
    const path = [...parent, nameInPath(property.name)];
    yield { path, text: JSON.stringify(path), type: typeInWords(property) };
    yield* propertiesBelow(property, path);
  }
}

function* propertiesBelow(
  { items = [], properties = [] }: ElementSchema,
  path: readonly string[],
): Iterable<PropertyType> {
  yield* propertiesIn(properties, path);
  for (const element of items) yield* propertiesBelow(element, [...path, ELEMENTS]);
}
