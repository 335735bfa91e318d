import type { components } from '../client/generated/types.ts';

export type ScalarType = Exclude<components['schemas']['SchemaType'], 'list' | 'object'>;

const SCALARS: readonly ScalarType[] = ['int', 'float', 'boolean', 'string', 'null', 'unknown'];

/** One of the types of a property or of a list's elements. */
export type DescribedType =
  | { type: ScalarType }
  | { type: 'list'; elements: DescribedType[] }
  | { type: 'object'; properties: DescribedProperty[] };

export interface DescribedProperty {
  name: string;
  /** Whether all events, or all enclosing objects, have it. */
  required: boolean;
  /** Most frequent first. */
  types: DescribedType[];
}

type ElementSchema = components['schemas']['ElementSchema'];

/** Describes a single shape, in which every property is required. */
export function describeShape(schema: components['schemas']['EventSchema']): DescribedProperty[] {
  return schema.map((property) => ({ name: property.name, required: true, types: [describeElement(property)] }));
}

function describeElement({ type, items = [], properties = [] }: ElementSchema): DescribedType {
  if (type === 'list') return { type, elements: items.map(describeElement) };
  if (type === 'object') return { type, properties: describeShape(properties) };
  return { type };
}

type EventProperty = components['schemas']['EventProperty'];

interface Level {
  /** The path to the object that has these properties. */
  path: readonly string[];
  /** The number of events with that object; undefined for elements of a list, where it is unknown. */
  count: number | undefined;
}

/** The path segment for the elements of a list. */
const ELEMENTS = '[]';

/** Escapes a property's name for a path: `[]` gets a backslash. */
function nameAt(inPath: string): string {
  return /^\\+\[\]$/.test(inPath) ? inPath.slice(1) : inPath;
}

/**
 * Describes the combined schema of an event's shapes.
 *
 * @param properties at every level, with the number of events they were computed from
 */
export function describeProperties(properties: readonly EventProperty[], count: number): DescribedProperty[] {
  const byParent = new Map<string, EventProperty[]>();
  for (const found of properties) {
    const parent = JSON.stringify(found.property.slice(0, -1));
    byParent.set(parent, [...(byParent.get(parent) ?? []), found]);
  }

  function describeLevel({ path, count }: Level): DescribedProperty[] {
    return (byParent.get(JSON.stringify(path)) ?? []).map((found) => ({
      name: nameAt(found.property.at(-1) ?? ''),
      required: found.count === count,
      types: found.types.map(({ type, count }) => describeWords(type, { path: found.property, count })),
    }));
  }

  function describeWords(words: string, level: Level): DescribedType {
    if (words === 'object') return { type: 'object', properties: describeLevel(level) };
    if (!words.startsWith('list<')) return { type: SCALARS.find((scalar) => scalar === words) ?? 'unknown' };
    const below = { path: [...level.path, ELEMENTS], count: undefined };
    return { type: 'list', elements: alternativesIn(words.slice(5, -1)).map((one) => describeWords(one, below)) };
  }

  return describeLevel({ path: [], count });
}

/** Splits `int|list<int|null>` into `int` and `list<int|null>`. */
function alternativesIn(words: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= words.length; index += 1) {
    const character = words[index] ?? '|';
    if (character === '<') depth += 1;
    if (character === '>') depth -= 1;
    if (character !== '|' || depth > 0) continue;
    if (index > start) found.push(words.slice(start, index));
    start = index + 1;
  }
  return found;
}
