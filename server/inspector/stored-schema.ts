import type { components } from '../generated/types.ts';
import { type Guard, listOf, parseStored, withFields } from '../storage/stored-json.ts';
import type { ElementSchema, EventSchema, PropertySchema } from './event-schema.ts';

const TYPES = { int: 1, float: 1, boolean: 1, string: 1, null: 1, unknown: 1, list: 1, object: 1 } satisfies Record<
  components['schemas']['SchemaType'],
  1
>;

/**
 * Reads a shape's stored schema.
 *
 * @throws UnreadableValue
 */
export function parseSchema(text: string): EventSchema {
  return parseStored('shapes.schema', text, isSchema);
}

const isNamed = withFields<PropertySchema>({ name: 'string' });

const isProperty: Guard<PropertySchema> = (value) => isNamed(value) && isElement(value);

const isSchema: Guard<EventSchema> = listOf(isProperty);

const isElements: Guard<ElementSchema[]> = listOf(isElement);

function isElement(value: unknown): value is ElementSchema {
  const { type, items, properties } = Object(value);
  if (typeof type !== 'string' || !Object.hasOwn(TYPES, type)) return false;
  return type === 'list' ? isElements(items) : type !== 'object' || isSchema(properties);
}
