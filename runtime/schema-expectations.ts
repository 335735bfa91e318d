import { escapeSegment, findValue, isObject, listPointers, readReference } from './pointers.ts';

/** What schemas say of the values at one place, as far as reading them out of text needs it. */
export interface Expectation {
  /** The JSON types that a value may have; `undefined`: any. */
  types: ReadonlySet<string> | undefined;
  /** JSON pointers of the schemas of a list's items. */
  items: readonly string[];
  /** JSON pointers of the schemas of an object's properties, by name. */
  properties: ReadonlyMap<string, readonly string[]>;
  /** JSON pointers of the schemas of all other properties. */
  others: readonly string[];
}

type Types = ReadonlySet<string> | undefined;

const ANYTHING: Expectation = { types: undefined, items: [], properties: new Map(), others: [] };

/**
 * Looks up what the schemas at JSON pointers of a document expect together: a value has to fit one of them. References and
 * compositions are followed; each schema is looked at once.
 */
export function expectations(document: object): (pointers: readonly string[]) => Expectation {
  const known = new Map<string, Expectation>();

  const expectAt = (pointer: string, open: ReadonlySet<string>): Expectation => {
    const schema = findValue(document, pointer);
    if (!isObject(schema) || open.has(pointer)) return ANYTHING;
    const within = new Set([...open, pointer]);
    const parts = (keyword: string): Expectation[] =>
      listPointers(schema, pointer, keyword).map((part) => expectAt(part, within));
    const reference = readReference(schema);
    const all = [...(reference === undefined ? [] : [expectAt(reference, within)]), ...parts('allOf')];
    const conditional = ['then', 'else']
      .filter((keyword) => isObject(schema[keyword]))
      .map((keyword) => ({ ...expectAt(`${pointer}/${keyword}`, within), types: undefined }));
    const choices = ['anyOf', 'oneOf'].map(parts).filter((branches) => branches.length > 0);
    return [
      readOwn(schema, pointer),
      ...all,
      ...conditional,
      ...choices.map((branches) => branches.reduce(allowEither)),
    ].reduce(demandBoth);
  };

  return (pointers) => {
    const found = pointers.map((pointer) => {
      const expected = known.get(pointer) ?? expectAt(pointer, new Set());
      known.set(pointer, expected);
      return expected;
    });
    return found.length === 0 ? ANYTHING : found.reduce(allowEither);
  };
}

function readOwn(schema: Record<string, unknown>, pointer: string): Expectation {
  return {
    types: readTypes(schema),
    items: isObject(schema['items']) ? [`${pointer}/items`] : [],
    properties: new Map(
      Object.keys(isObject(schema['properties']) ? schema['properties'] : {}).map((name) => [
        name,
        [`${pointer}/properties/${escapeSegment(name)}`],
      ]),
    ),
    others: isObject(schema['additionalProperties']) ? [`${pointer}/additionalProperties`] : [],
  };
}

/** As the schema says, or as its values and keywords give away. */
function readTypes(schema: Record<string, unknown>): Types {
  if (schema['type'] !== undefined) return new Set([schema['type']].flat().map(String));
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (Array.isArray(values) && values.length > 0) return new Set(values.map(findType));
  if ('properties' in schema) return new Set(['object']);
  return 'items' in schema ? new Set(['array']) : undefined;
}

function findType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function demandBoth(one: Expectation, other: Expectation): Expectation {
  return { ...combine(one, other), types: intersect(one.types, other.types) };
}

function allowEither(one: Expectation, other: Expectation): Expectation {
  // What may be anything may be the text that it came as.
  const text = new Set(['string']);
  const types =
    one.types === undefined && other.types === undefined ? undefined : (one.types ?? text).union(other.types ?? text);
  return { ...combine(one, other), types };
}

function combine(one: Expectation, other: Expectation): Omit<Expectation, 'types'> {
  const names = new Set([...one.properties.keys(), ...other.properties.keys()]);
  const properties = [...names].map((name): [string, string[]] => [
    name,
    [...(one.properties.get(name) ?? []), ...(other.properties.get(name) ?? [])],
  ]);
  return {
    items: [...one.items, ...other.items],
    properties: new Map(properties),
    others: [...one.others, ...other.others],
  };
}

function intersect(one: Types, other: Types): Types {
  if (one === undefined || other === undefined) return one ?? other;
  const isInteger = (types: ReadonlySet<string>): boolean => types.has('integer') || types.has('number');
  const both = one.intersection(other);
  return isInteger(one) && isInteger(other) && !both.has('number') ? both.union(new Set(['integer'])) : both;
}
